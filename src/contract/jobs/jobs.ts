/**
 * Rows shared by all programs; docs/GLOSSARY.md defines the terms. `segmentation_type` `single` makes one clip per
 * variant, `multiple` cuts the entire video into clips.
 */
import { z } from "zod";
import { component, keysOf, named } from "../component.ts";
import type { JobSettings } from "../job-settings/job-settings.ts";
import { settingsExcept, settingShapes } from "../job-settings/response-settings.ts";
import { choicesOf, SETTING_NAMES } from "../job-settings/setting-values.ts";
import { FAILURE_STEPS, type FailureColumns, FAILURES } from "./failures.ts";
import { JOB_LIMITS } from "./job-limits.ts";
import { ConformanceReport } from "./outputs/conformance.ts";
import type { Verdict } from "./outputs/review.ts";
import { Warning } from "./outputs/warnings.ts";

export { JOB_LIMITS } from "./job-limits.ts";
export { JOB_DEFAULTS } from "../job-settings/setting-values.ts";

export const JOB_STATUSES = ["Queued", "Processing", "Cancelling", "Completed", "Failed", "Cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Every change of status must pass `canBecome`. */
const NEXT_STATUSES: Record<JobStatus, readonly JobStatus[]> = {
  Queued: ["Processing", "Cancelling", "Cancelled", "Failed"],
  Processing: ["Completed", "Failed", "Cancelling"],
  Cancelling: ["Cancelled"],
  // Retrying failed videos queues an ended job again.
  Completed: ["Queued"],
  Failed: ["Queued"],
  Cancelled: [],
};
const FINAL_STATUSES: ReadonlySet<JobStatus> = new Set(["Completed", "Failed", "Cancelled"]);

/** A status cannot become itself. */
export function canBecome(from: JobStatus, to: JobStatus): boolean {
  return NEXT_STATUSES[from].includes(to);
}

/** Only an operator's retry changes a final status. */
export function isFinal(status: JobStatus): boolean {
  return FINAL_STATUSES.has(status);
}

/**
 * Samples are being made (`making`) or await a decision (`waiting`); the job was approved, or ended with its samples
 * (`stopped`).
 */
const PROOF_STATES = ["making", "waiting", "approved", "stopped"] as const;
export type ProofState = (typeof PROOF_STATES)[number];

export const VideoStatus = named(
  "VideoStatus",
  "Also of outputs.",
  z.enum(["Queued", "Processing", "Completed", "Failed", "Cancelled"]),
);
export type VideoStatus = z.infer<typeof VideoStatus>;

const VIDEO_STAGES = ["Fetching", "Rendering"] as const;
export type VideoStage = (typeof VIDEO_STAGES)[number];

export const AUDIO_MODES = choicesOf("audio_mode");
export type AudioMode = JobSettings["audio_mode"];

export type SegmentationType = NonNullable<JobSettings["segmentation_type"]>;

export const CAPTION_STYLES = choicesOf("caption_style");
export type CaptionStyle = JobSettings["caption_style"];

export const CAPTION_POSITIONS = choicesOf("caption_position");
export type CaptionPosition = JobSettings["caption_position"];

export const CAPTION_SIZES = choicesOf("caption_size");
export type CaptionSize = JobSettings["caption_size"];

export const CAPTION_FONTS = choicesOf("caption_font");
export type CaptionFont = JobSettings["caption_font"];
export type CaptionWeight = JobSettings["caption_weight"];

export const QUALITIES = choicesOf("quality");
export type Quality = JobSettings["quality"];
export type Codec = JobSettings["codec"];

/** Encoding cost, in minutes of 1080p at 30 fps. */
export type CostLimits = { videoMinutes: number; jobMinutes: number };

export const COST_LIMITS: CostLimits = { videoMinutes: 2_000, jobMinutes: 50_000 };

/** Automatic retries of a video. */
export const MAX_RETRIES = 3;

/** More are allowed (SPEC section 5). */
export const RECOMMENDED_VARIANTS = 5;

export const CANCELLED_BY_USER = "Job cancelled by user";
export const ALREADY_FINISHED = "The job has already finished.";

const STATE_SHAPE = {
  id: z.string(),
  status: z.enum(JOB_STATUSES),
  queue_position: z
    .number()
    .nullable()
    .describe("Rank among Queued jobs, from 1; null while held or not Queued. Computed on read."),
  folder_link: z.string().nullable().describe("The job's page; null until it has an output."),
  download_url: z.string().nullable().describe("Signed relative URL, valid for 24 h; null without a zip."),
  manifest_url: z
    .string()
    .nullable()
    .describe("Signed: manifest.json, or manifest.csv with `&format=csv`; null without a zip."),
  thumbnail_url: z
    .string()
    .nullable()
    .exactOptional()
    .describe("Signed: a picture of a finished file; null without one."),
  error_message: z.string().nullable(),
  progress: z
    .number()
    .describe(
      "Encoded share of all outputs' time, 0-100; failed videos count as done. Never falls while the job runs.",
    ),
  seconds_left: z
    .number()
    .nullable()
    .describe("Remaining seconds at the measured speed; null unless Processing and measured. Computed on read."),
  current_video: z.number().nullable(),
  total_videos: z.number(),
  failed_videos: z
    .number()
    .nullable()
    .describe("Failed videos of a running or completed job, else null. Computed on read."),
  waiting_videos: z
    .number()
    .nullable()
    .describe("Waiting to start; null unless Queued or Processing. Computed on read."),
  retry_count: z.number(),
  max_retries: z.number(),
  processing_started_at: z.string().nullable(),
  files_deleted_at: z
    .string()
    .nullable()
    .exactOptional()
    .describe("When retention deleted its files; null while they exist."),
  files_kept_until: z
    .string()
    .nullable()
    .describe("When retention deletes its files; null without files or if kept forever. Computed on read."),
  proof_state: z.enum(PROOF_STATES).nullable(),
  awaiting_approval: z.boolean().describe("Samples are ready for a decision; nothing of the job runs."),
  awaited_seconds: z
    .number()
    .exactOptional()
    .describe("How long it waited for approvals, without the current wait. Not counted as elapsed."),
  awaiting_since: z.string().nullable().exactOptional().describe("When the current wait for an approval started."),
  held_at: z.string().nullable().describe("When the job was put on hold; null if not held."),
  updated_at: z.string(),
  created_at: z.string(),
};

export const WholeJob = component("WholeJob", "With all its lists. Times are ISO 8601.", () => ({
  ...settingShapes.whole(SETTING_NAMES),
  ...STATE_SHAPE,
}));
export type WholeJob = z.infer<typeof WholeJob>;

/** Immutable. A light row omits all of them if they total more than 16 kB. */
export const LONG_LISTS = ["input_videos", "rows", "custom_captions", "custom_audio_links"] as const;

export const Job = component("Job", "A light row, for lists and live updates.", () => ({
  ...settingShapes.whole(settingsExcept(LONG_LISTS)),
  ...settingShapes.optional(LONG_LISTS),
  ...STATE_SHAPE,
}));
export type Job = z.infer<typeof Job>;

const FAILURE_SHAPE = {
  error_message: z.string().nullable(),
  error_code: keysOf(FAILURES).nullable(),
  error_step: z.enum(FAILURE_STEPS).nullable(),
  error_tail: z.string().nullable().describe("Without paths, links and secrets; at most 4 kB."),
} satisfies { [Name in keyof FailureColumns]: z.ZodType<FailureColumns[Name]> };

export const JobVideo = component("JobVideo", () => ({
  ...FAILURE_SHAPE,
  id: z.string(),
  job_id: z.string(),
  position: z.number().describe("Place in the job, from 0."),
  link: z.string(),
  name: z.string().nullable().describe("Null until known."),
  clips: z
    .array(z.number())
    .nullable()
    .describe("The place of its clip in each of the job's slots, from 0; null without slots."),
  status: VideoStatus,
  stage: z.enum(VIDEO_STAGES).nullable(),
  progress: z.number().describe("0-100."),
  attempts: z.number(),
  waits_for: z
    .string()
    .nullable()
    .describe("The cooling host that the video waits for, or null. Such a wait uses up no attempts."),
  waiting_since: z.string().nullable(),
  next_try_at: z
    .string()
    .nullable()
    .describe("Approximate time of the next attempt; null if it only waits for its turn. Computed on read."),
  duration_seconds: z.number().nullable(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  updated_at: z.string(),
  created_at: z.string(),
}));
export type JobVideo = z.infer<typeof JobVideo>;

export const JobOutput = component("JobOutput", () => ({
  ...FAILURE_SHAPE,
  id: z.string(),
  job_id: z.string(),
  video_id: z.string(),
  variant: z.number().describe("From 0."),
  segment: z.number().describe("From 0; 0 without segmentation."),
  name: z.string().describe("The file's name, in the zip too."),
  status: VideoStatus,
  progress: z.number().describe("0-100."),
  caption: z.string().nullable(),
  track: z.string().nullable().describe("The music's file name, or its link until known."),
  start_seconds: z.number().nullable().describe("The part of the source; null for older outputs."),
  end_seconds: z.number().nullable(),
  duration_seconds: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  size_bytes: z.number().nullable(),
  sha256: z.string().nullable().describe("In hex; null until stored, and for older files."),
  warnings: z.array(Warning).describe("How the file falls short of the request."),
  conformance: z
    .nullable(ConformanceReport)
    .describe("How the file meets its platform's rules; null without a platform or file."),
  verdict: z
    .enum(["approved", "rejected"] satisfies Verdict[])
    .nullable()
    .describe("Null until reviewed, and again when the file is made again."),
  reason: z.string().nullable(),
  reviewed_at: z.string().nullable(),
  link: z
    .string()
    .nullable()
    .describe("URL of its Cloak Manager route; null without `link_domain_id` and until the job completes."),
  media_url: z
    .string()
    .nullable()
    .describe("Signed relative URL, valid for 24 h, with range requests; null until stored."),
  thumbnail_url: z.string().nullable(),
  cover_url: z.string().nullable().describe("Signed URL of the JPEG; null without `cover_seconds` and until stored."),
  subtitles_url: z
    .string()
    .nullable()
    .describe("Signed: its subtitles as SRT, or as VTT with `&format=vtt`; null without subtitles and until stored."),
  updated_at: z.string(),
  created_at: z.string(),
}));
export type JobOutput = z.infer<typeof JobOutput>;

export const JobEvent = component("JobEvent", () => ({
  id: z.number(),
  job_id: z.string(),
  video_id: z.string().nullable().describe("Null for the job itself."),
  status: z.enum(JOB_STATUSES),
  attempt: z.number().nullable(),
  message: z.string().nullable(),
  created_at: z.string(),
}));
export type JobEvent = z.infer<typeof JobEvent>;

/** Falls back to the beginning of the id. */
export function jobTitle(job: Pick<Job, "id" | "job_name">): string {
  return job.job_name || `Job ${job.id.slice(0, 8)}`;
}

const error = "samples: must be a list of output IDs";

/** Ids of the samples that were shown. */
export const shownSamples = z.array(z.uuid({ error }), { error }).max(JOB_LIMITS.samples, { error });
