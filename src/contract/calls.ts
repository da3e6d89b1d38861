import { z } from "zod";
import { component, named } from "./component.ts";
import type { JobSettings, PreviewSettings } from "./job-settings/job-settings.ts";
import { Job, JobEvent, JobOutput, JobVideo, WholeJob } from "./jobs/jobs.ts";
import type { Layer } from "./jobs/outputs/layers.ts";
import { Warning } from "./jobs/outputs/warnings.ts";
import { JobProblem } from "./jobs/size-problem.ts";
import type { UploadUse } from "./library.ts";
import { Manifest } from "./manifest/manifest.ts";

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
export const ListJobsResponse = component("ListJobsResponse", () => ({ jobs: z.array(Job), total: z.number() }));
export type ListJobsResponse = z.infer<typeof ListJobsResponse>;

export const DashboardStats = component("DashboardStats", () => ({
  videosToday: z.number().describe("Input videos of jobs created since `since`."),
  jobsToday: z.number().describe("Created since `since`."),
  processing: z.number().describe("Includes jobs awaiting approval."),
  awaitingApproval: z.number(),
  queued: z.number(),
  cancelling: z.number(),
  captionSets: z.number(),
  captions: z.number(),
  audioSets: z.number(),
  tracks: z.number(),
}));
export type DashboardStats = z.infer<typeof DashboardStats>;

export const DashboardResponse = component("DashboardResponse", () => ({ jobs: z.array(Job), stats: DashboardStats }));
export type DashboardResponse = z.infer<typeof DashboardResponse>;

export const MeasuredWorkResponse = component("MeasuredWorkResponse", () => ({
  data: z
    .object({
      speed: z.number().describe("Seconds of one encode in standard quality per second."),
      encodes: z.number().describe("How many the workers run at the same time."),
      bytesPerSecond: z.number().describe("Of output."),
    })
    .nullable()
    .describe("Null without a completed job to measure."),
}));
export type MeasuredWorkResponse = z.infer<typeof MeasuredWorkResponse>;

export const CreateJobResponse = component(
  "CreateJobResponse",
  "`warnings`: how files fall short of the request.",
  () => ({
    data: WholeJob,
    warnings: z.array(Warning),
  }),
);
export type CreateJobResponse = z.infer<typeof CreateJobResponse>;

export const JobResponse = component("JobResponse", () => ({ data: WholeJob }));
export type JobResponse = z.infer<typeof JobResponse>;

export const RetryNowResponse = component("RetryNowResponse", () => ({
  success: z.boolean(),
  error: z.string().exactOptional(),
}));
export type RetryNowResponse = z.infer<typeof RetryNowResponse>;

export const DeleteJobsResponse = component("DeleteJobsResponse", "Missing jobs count as deleted.", () => ({
  deleted: z.array(z.string()),
  refused: z.array(z.object({ id: z.string(), error: z.string() })),
}));
export type DeleteJobsResponse = z.infer<typeof DeleteJobsResponse>;

export const JobVideosResponse = component("JobVideosResponse", () => ({
  data: z.array(JobVideo),
}));
export type JobVideosResponse = z.infer<typeof JobVideosResponse>;

export const JobOutputsResponse = component("JobOutputsResponse", () => ({ data: z.array(JobOutput) }));
export type JobOutputsResponse = z.infer<typeof JobOutputsResponse>;

export const JobEventsResponse = component("JobEventsResponse", "Oldest first. `total` counts all.", () => ({
  data: z.array(JobEvent),
  total: z.number(),
}));
export type JobEventsResponse = z.infer<typeof JobEventsResponse>;

export const ManifestResponse = component("ManifestResponse", () => ({ data: Manifest }));
export type ManifestResponse = z.infer<typeof ManifestResponse>;

export const ReviewResponse = component(
  "ReviewResponse",
  "Omits files that were deleted or are being made again.",
  () => ({
    data: z.array(JobOutput),
  }),
);
export type ReviewResponse = z.infer<typeof ReviewResponse>;

export const ApprovedResponse = component(
  "ApprovedResponse",
  "A zip of the approved files; `download_url` is null if there is none.",
  () => ({
    download_url: z.string().nullable(),
    files: z.number(),
    size_bytes: z.number(),
  }),
);
export type ApprovedResponse = z.infer<typeof ApprovedResponse>;

export const SourceLinkResponse = component(
  "SourceLinkResponse",
  "Plays the source for a day, if its host and the browser can.",
  () => ({ url: z.string() }),
);
export type SourceLinkResponse = z.infer<typeof SourceLinkResponse>;

export const CancelJobResponse = component("CancelJobResponse", () => ({
  success: z.boolean(),
  error: z.string().exactOptional(),
}));
export type CancelJobResponse = z.infer<typeof CancelJobResponse>;

/** Function preview. Fields are those of a job. */
export type PreviewRequest = PreviewSettings & {
  /** Null draws on a plain background. */
  input_video: string | null;
  /** Seconds in the video; null uses its thumbnail's frame. */
  at_seconds: number | null;
  caption: string | null;
  watermark_text: string | null;
  /** Drawn as they are, without fields. */
  layers?: Layer[];
};
export const CaptionPlace = component(
  "CaptionPlace",
  "Shares of the height from the top: edges of the caption and of its movable area.",
  () => ({
    top: z.number(),
    bottom: z.number(),
    highest: z.number(),
    lowest: z.number(),
  }),
);
export type CaptionPlace = z.infer<typeof CaptionPlace>;

export const LayerPlace = component("LayerPlace", "Edges, as shares of the frame's width and height.", () => ({
  left: z.number(),
  right: z.number(),
  top: z.number(),
  bottom: z.number(),
}));
export type LayerPlace = z.infer<typeof LayerPlace>;

export const PreviewResponse = component("PreviewResponse", () => ({
  picture: z.string().describe("A data: URL with a JPEG."),
  width: z.number().describe("Pixels of the job's files; `picture` may be smaller."),
  height: z.number(),
  caption: z.nullable(CaptionPlace),
  layers: z.array(z.nullable(LayerPlace)).describe("In their order; null for one that shows nothing."),
  safe_area: LayerPlace.describe("Which layers keep to."),
  isOnVideo: z.boolean(),
  reason: z.string().nullable().describe("Why the video or an image is missing."),
  isPending: z.boolean().describe("The video is being fetched: poll again."),
}));
export type PreviewResponse = z.infer<typeof PreviewResponse>;

/** Function preview, action `silences`. Fields are those of a job. */
export type MeasureSilencesRequest = { input_video: string } & Pick<
  JobSettings,
  "start_seconds" | "end_seconds" | "cut_silences_ms" | "silence_padding_ms"
>;
export const SilencesResponse = component(
  "SilencesResponse",
  "Null while the video is being fetched or analyzed: poll again.",
  () => ({
    seconds: z.number().nullable().describe("Of the video, or the part of it that the job uses."),
    cut_seconds: z.number().nullable(),
    has_speech: z.boolean().nullable().describe("Without any, nothing is cut."),
  }),
);
export type SilencesResponse = z.infer<typeof SilencesResponse>;

/** Function check-captions. Fields are those of a job. */
export type CheckCaptionsRequest = Partial<PreviewSettings> & {
  captions: readonly string[];
  watermark_text?: string | null;
};
export const CheckCaptionsResponse = component(
  "CheckCaptionsResponse",
  "`problem`: why such a job would be rejected.",
  () => ({ problem: z.nullable(JobProblem), warnings: z.array(Warning) }),
);
export type CheckCaptionsResponse = z.infer<typeof CheckCaptionsResponse>;

export const LibraryKind = named("LibraryKind", z.enum(["video", "audio", "image", "subtitles"]));
export type LibraryKind = z.infer<typeof LibraryKind>;

export const LibraryFile = component("LibraryFile", "URLs are signed, and valid for a day without a session.", () => ({
  id: z.string(),
  name: z.string(),
  kind: LibraryKind,
  link: z.string(),
  durationSeconds: z.number().describe("0 for images."),
  sizeBytes: z.number(),
  sha256: z.string().nullable().describe("In hex; null for sample clips."),
  isSample: z.boolean(),
  thumbnailUrl: z
    .string()
    .nullable()
    .describe("JPEG of a video or PNG of an image; null for music or if none could be made."),
  mediaUrl: z.string(),
  tags: z.array(z.string()),
  createdAt: z.string(),
  // Counts what prevents deletion; `savedIn` has presets, brand kits and audio sets.
  usage: z.object({ jobs: z.number(), unfinishedJobs: z.number(), savedIn: z.number(), isInCaptionLab: z.boolean() }),
}));
export type LibraryFile = z.infer<typeof LibraryFile>;

export const LibraryResponse = component(
  "LibraryResponse",
  "`isReady` is false while the first start generates the samples.",
  () => ({ data: z.array(LibraryFile), isReady: z.boolean() }),
);
export type LibraryResponse = z.infer<typeof LibraryResponse>;

export const HeldFile = component(
  "HeldFile",
  "A file that was not deleted, with the 20 oldest of its `jobCount` unfinished jobs.",
  () => ({
    id: z.string(),
    name: z.string(),
    jobs: z.array(z.object({ id: z.string(), job_name: z.string() })),
    jobCount: z.number(),
    savedIn: z.array(z.object({ kind: z.enum(["preset", "brand kit", "audio set"]), name: z.string() })),
    isInCaptionLab: z.boolean(),
  }),
);
export type HeldFile = z.infer<typeof HeldFile>;

export const DeleteLibraryFilesResponse = component(
  "DeleteLibraryFilesResponse",
  "`held` has the files that were not deleted.",
  () => ({ data: z.array(LibraryFile), isReady: z.boolean(), held: z.array(HeldFile) }),
);
export type DeleteLibraryFilesResponse = z.infer<typeof DeleteLibraryFilesResponse>;

export const ChangeLibraryFileResponse = component("ChangeLibraryFileResponse", () => ({ data: LibraryFile }));
export type ChangeLibraryFileResponse = z.infer<typeof ChangeLibraryFileResponse>;

export const UploadResponse = component(
  "UploadResponse",
  "`isDuplicate`: the library had the same content and returns that file.",
  () => ({ data: LibraryFile, isDuplicate: z.boolean() }),
);
export type UploadResponse = z.infer<typeof UploadResponse>;

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

export const EmbeddedPages = component("EmbeddedPages", () => ({
  batchScheduler: z.string().nullable(),
  warmupRobot: z.string().nullable(),
}));
export type EmbeddedPages = z.infer<typeof EmbeddedPages>;

export const EmbeddedPagesResponse = component("EmbeddedPagesResponse", () => ({ data: EmbeddedPages }));
export type EmbeddedPagesResponse = z.infer<typeof EmbeddedPagesResponse>;

export const AuditEntry = component(
  "AuditEntry",
  '`subject` is the changed object\'s id or name; `subject_name` and `email` (of the account, or "terminal") are as of that time.',
  () => ({
    id: z.number(),
    account_id: z.string().nullable(),
    email: z.string(),
    action: z.string(),
    subject: z.string().nullable(),
    subject_name: z.string().nullable(),
    created_at: z.string(),
  }),
);
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditResponse = component("AuditResponse", () => ({ data: z.array(AuditEntry) }));
export type AuditResponse = z.infer<typeof AuditResponse>;

export const SuccessResponse = component("SuccessResponse", () => ({ success: z.literal(true) }));
