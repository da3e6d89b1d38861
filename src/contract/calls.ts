/** Request and response types of the functions of SPEC section 7. */
import type { Manifest } from "./manifest/manifest.ts";
import type { UploadUse } from "./library.ts";
import type { JobProblem } from "./jobs/job-rules.ts";
import type { PreviewSettings } from "./job-settings/job-settings.ts";
import type { Job, JobEvent, JobOutput, JobVideo, WholeJob } from "./jobs/jobs.ts";
import type { Warning } from "./jobs/outputs/warnings.ts";

/** Payload of jobs, action list. Numbers travel as strings. */
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
  /** Input videos of the jobs created since `since`. */
  videosToday: number;
  /** Created since `since`. */
  jobsToday: number;
  /** Including those that wait for approval. */
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
/** Also jobs, action change: `{jobId, settings}`. `warnings`: how the job's files will fall short of the request. */
export type CreateJobResponse = { data: WholeJob; warnings: Warning[] };
/**
 * jobs, actions retry, bump (move to the front), hold, release, and approve or stop of a job that awaits approval:
 * `{jobId}`. Returns the updated job.
 */
export type JobResponse = { data: WholeJob };
/** jobs, action retry-now: `{jobId, videoId?, reason?}`. */
export type RetryNowResponse = { success: boolean; error?: string };
/** jobs, action delete: `{jobIds}`. Missing jobs count as deleted. */
export type DeleteJobsResponse = { deleted: string[]; refused: { id: string; error: string }[] };
/** jobs, actions videos, outputs and events: `{jobId}`. */
export type JobVideosResponse = { data: JobVideo[] };
export type JobOutputsResponse = { data: JobOutput[] };
export type JobEventsResponse = { data: JobEvent[] };
export type ManifestResponse = { data: Manifest };
/**
 * jobs, action review: `{outputId, verdict, reason?}`, or many as `{reviews}`. Returns the reviewed files, without those
 * that were deleted or are being made again.
 */
export type ReviewResponse = { data: JobOutput[] };
/** jobs, action approved: `{jobId}`. A zip of the approved files only; `download_url` is null if there is none. */
export type ApprovedResponse = { download_url: string | null; files: number; size_bytes: number };
/** jobs, action source: `{videoId}`. Plays a video's source for a day, if its host and the browser can. */
export type SourceLinkResponse = { url: string };
export type CancelJobResponse = { success: boolean; error?: string };

/** Function preview. Field names match those of a job. */
export type PreviewRequest = PreviewSettings & {
  /** The first video's link; null draws on a plain background. */
  input_video: string | null;
  /** The video's time, in seconds; null shows the frame of its thumbnail. */
  at_seconds: number | null;
  caption: string | null;
  watermark_text: string | null;
};
/** Shares of the picture's height from the top: the caption's edges, and those of the area that it can be moved in. */
export type CaptionPlace = { top: number; bottom: number; highest: number; lowest: number };
export type PreviewResponse = {
  /** A JPEG as a data: URL. */
  picture: string;
  /** Pixels of the job's files; the preview may be smaller. */
  width: number;
  height: number;
  /** Null without a caption. */
  caption: CaptionPlace | null;
  /** False with a plain background. */
  isOnVideo: boolean;
  /** Why the video or the watermark's image is missing, or null. */
  reason: string | null;
  /** True while the video is being fetched; the client should poll. */
  isPending: boolean;
};

/** Function check-captions. Field names match those of a job. */
export type CheckCaptionsRequest = Partial<PreviewSettings> & {
  captions: readonly string[];
  watermark_text?: string | null;
};
/** `problem`: why a job with these captions would be rejected. */
export type CheckCaptionsResponse = { problem: JobProblem | null; warnings: Warning[] };

export type LibraryKind = "video" | "audio" | "image";

/** Both URLs are signed and valid for a day without a session. */
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
  /** A small JPEG of a video or PNG of an image; null for music or if generation failed. */
  thumbnailUrl: string | null;
  /** For playback. */
  mediaUrl: string;
  tags: string[];
  createdAt: string;
  usage: LibraryUsage;
};
/** Unfinished jobs, presets and brand kits (`savedIn`) and Caption Lab keep a file from being deleted. */
type LibraryUsage = { jobs: number; unfinishedJobs: number; savedIn: number; isInCaptionLab: boolean };
/** Function library, {method:"GET"}. `isReady` is false while the first start generates the samples. */
export type LibraryResponse = { data: LibraryFile[]; isReady: boolean };
/** A file that was not deleted. `jobs` has at most 20 of its `jobCount` unfinished jobs, oldest first. */
export type HeldFile = {
  id: string;
  name: string;
  jobs: { id: string; job_name: string }[];
  jobCount: number;
  savedIn: { kind: "preset" | "brand kit"; name: string }[];
  isInCaptionLab: boolean;
};
/** Function library, {method:"DELETE", ids}: deletes all files that nothing holds back. */
export type DeleteLibraryFilesResponse = LibraryResponse & { held: HeldFile[] };
/** Function library, {method:"PATCH", id, name, tags}. */
export type ChangeLibraryFileResponse = { data: LibraryFile };
/**
 * POST /uploads?name=…&use=video, music or image, with the file as the body. `isDuplicate`: the library already had a
 * file with the same content, which is returned.
 */
export type UploadResponse = { data: LibraryFile; isDuplicate: boolean };

/**
 * A resumable upload of the last 24 hours. Only a "waiting" one has no sender: choosing the same file again continues it.
 * A "finished" one is in the library.
 */
export type ResumableUploadEntry = {
  id: string;
  name: string;
  use: UploadUse;
  sizeBytes: number;
  receivedBytes: number;
  /** As sent; null if none was. */
  fingerprint: string | null;
  screen: string | null;
  state: "waiting" | "receiving" | "checking" | "finished";
};
/** GET /uploads/tus: the account's. */
export type ResumableUploadsResponse = { data: ResumableUploadEntry[] };

/** Pages embedded in Batch Scheduler and Warmup Robot; null if not set. */
export type EmbeddedPages = { batchScheduler: string | null; warmupRobot: string | null };
/** Function embedded-pages, {method:"GET"}. */
export type EmbeddedPagesResponse = { data: EmbeddedPages };

/**
 * An audit log entry. `subject` is the id or name of the changed object; `subject_name` and `email` (the account's, or
 * "terminal") are as of that time.
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

/** Function audit, newest first. */
export type AuditResponse = { data: AuditEntry[] };

/** Response to a call that returns nothing else. */
export type SuccessResponse = { success: true };
