import type { Manifest } from "./manifest/manifest.ts";
import type { UploadUse } from "./library.ts";
import type { JobProblem } from "./jobs/job-rules.ts";
import type { PreviewSettings } from "./job-settings/job-settings.ts";
import type { Job, JobEvent, JobOutput, JobVideo, WholeJob } from "./jobs/jobs.ts";
import type { Warning } from "./jobs/outputs/warnings.ts";

/** jobs, action list. Numbers are sent as strings. */
export type ListJobsRequest = {
  action?: "list";
  page: string;
  limit: string;
  search?: string;
  status?: string;
  type?: "captions" | "audio";
  /** Limits the search to these jobs, at most 100. */
  ids?: string[];
};
export type ListJobsResponse = { jobs: Job[]; total: number };

export type DashboardStats = {
  /** Input videos of jobs created since `since`. */
  videosToday: number;
  /** Created since `since`. */
  jobsToday: number;
  /** Includes jobs awaiting approval. */
  processing: number;
  awaitingApproval: number;
  queued: number;
  cancelling: number;
  captionSets: number;
  captions: number;
  audioSets: number;
  tracks: number;
};
export type DashboardResponse = { jobs: Job[]; stats: DashboardStats };
/** Also jobs, action change: `{jobId, settings}`. `warnings`: how files fall short of the request. */
export type CreateJobResponse = { data: WholeJob; warnings: Warning[] };
/**
 * jobs, actions retry, bump (move to the front), hold, release, and approve or stop (while awaiting approval):
 * `{jobId}`; to approve, also `samples?`, the ids of the samples that were shown.
 */
export type JobResponse = { data: WholeJob };
/** jobs, action retry-now: `{jobId, videoId?, reason?}`. */
export type RetryNowResponse = { success: boolean; error?: string };
/** jobs, action delete: `{jobIds}`. Missing jobs count as deleted. */
export type DeleteJobsResponse = { deleted: string[]; refused: { id: string; error: string }[] };
/** jobs, actions videos and outputs: `{jobId}`. */
export type JobVideosResponse = { data: JobVideo[] };
export type JobOutputsResponse = { data: JobOutput[] };
/**
 * jobs, action events: `{jobId, limit?}`. Oldest first: all, or the newest `limit` (at most 1,000). `total` counts all.
 */
export type JobEventsResponse = { data: JobEvent[]; total: number };
export type ManifestResponse = { data: Manifest };
/**
 * jobs, action review: `{outputId, verdict, reason?}`, or many as `{reviews}`. Omits files that were deleted or are
 * being made again.
 */
export type ReviewResponse = { data: JobOutput[] };
/** jobs, action approved: `{jobId}`. A zip of the approved files; `download_url` is null if there is none. */
export type ApprovedResponse = { download_url: string | null; files: number; size_bytes: number };
/** jobs, action source: `{videoId}`. Plays the source for a day, if its host and the browser can. */
export type SourceLinkResponse = { url: string };
export type CancelJobResponse = { success: boolean; error?: string };

/** Function preview. Fields are those of a job. */
export type PreviewRequest = PreviewSettings & {
  /** Null draws on a plain background. */
  input_video: string | null;
  /** Seconds in the video; null uses its thumbnail's frame. */
  at_seconds: number | null;
  caption: string | null;
  watermark_text: string | null;
};
/** Shares of the height from the top: edges of the caption and of its movable area. */
export type CaptionPlace = { top: number; bottom: number; highest: number; lowest: number };
export type PreviewResponse = {
  /** A data: URL with a JPEG. */
  picture: string;
  /** Pixels of the job's files; `picture` may be smaller. */
  width: number;
  height: number;
  caption: CaptionPlace | null;
  isOnVideo: boolean;
  /** Why the video or watermark image is missing. */
  reason: string | null;
  /** The video is being fetched: poll again. */
  isPending: boolean;
};

/** Function check-captions. Fields are those of a job. */
export type CheckCaptionsRequest = Partial<PreviewSettings> & {
  captions: readonly string[];
  watermark_text?: string | null;
};
/** `problem`: why such a job would be rejected. */
export type CheckCaptionsResponse = { problem: JobProblem | null; warnings: Warning[] };

export type LibraryKind = "video" | "audio" | "image";

/** URLs are signed, and valid for a day without a session. */
export type LibraryFile = {
  id: string;
  name: string;
  kind: LibraryKind;
  link: string;
  /** 0 for images. */
  durationSeconds: number;
  sizeBytes: number;
  /** In hex; null for sample clips. */
  sha256: string | null;
  isSample: boolean;
  /** JPEG of a video or PNG of an image; null for music or if none could be made. */
  thumbnailUrl: string | null;
  mediaUrl: string;
  tags: string[];
  createdAt: string;
  usage: LibraryUsage;
};
/** Counts what prevents deletion; `savedIn` has presets, brand kits and audio sets. */
type LibraryUsage = { jobs: number; unfinishedJobs: number; savedIn: number; isInCaptionLab: boolean };
/** `isReady` is false while the first start generates the samples. */
export type LibraryResponse = { data: LibraryFile[]; isReady: boolean };
/** A file that was not deleted, with the 20 oldest of its `jobCount` unfinished jobs. */
export type HeldFile = {
  id: string;
  name: string;
  jobs: { id: string; job_name: string }[];
  jobCount: number;
  savedIn: { kind: "preset" | "brand kit" | "audio set"; name: string }[];
  isInCaptionLab: boolean;
};
/** Function library, {method:"DELETE", ids}. `held` has the files that were not deleted. */
export type DeleteLibraryFilesResponse = LibraryResponse & { held: HeldFile[] };
export type ChangeLibraryFileResponse = { data: LibraryFile };
/**
 * POST /uploads?name=…&use=video, music or image; the body is the file. `isDuplicate`: the library had the same content
 * and returns that file.
 */
export type UploadResponse = { data: LibraryFile; isDuplicate: boolean };

/**
 * From the last 24 hours. "waiting": no sender; choosing the same file again continues it. "finished": in the library.
 */
export type ResumableUploadEntry = {
  id: string;
  name: string;
  use: UploadUse;
  sizeBytes: number;
  receivedBytes: number;
  fingerprint: string | null;
  screen: string | null;
  state: "waiting" | "receiving" | "checking" | "finished";
};
/** The account's, from GET /uploads/tus. */
export type ResumableUploadsResponse = { data: ResumableUploadEntry[] };

export type EmbeddedPages = { batchScheduler: string | null; warmupRobot: string | null };
export type EmbeddedPagesResponse = { data: EmbeddedPages };

/**
 * `subject` is the changed object's id or name; `subject_name` and `email` (of the account, or "terminal") are as of
 * that time.
 */
export type AuditEntry = {
  id: number;
  account_id: string | null;
  email: string;
  action: string;
  subject: string | null;
  subject_name: string | null;
  created_at: string;
};

export type AuditResponse = { data: AuditEntry[] };

export type SuccessResponse = { success: true };
