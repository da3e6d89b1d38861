/**
 * Rows shared by all programs; docs/GLOSSARY.md defines the terms. `segmentation_type` `single` makes one clip per
 * variant, `multiple` cuts the entire video into clips.
 */
import type { ConformanceReport } from "./outputs/conformance.ts";
import type { FailureColumns } from "./failures.ts";
import type { JobSettings } from "../job-settings/job-settings.ts";
import type { Verdict } from "./outputs/review.ts";
import { choicesOf } from "../job-settings/setting-values.ts";
import type { Warning } from "./outputs/warnings.ts";

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
export type ProofState = "making" | "waiting" | "approved" | "stopped";

/** Also of outputs. */
export type VideoStatus = "Queued" | "Processing" | "Completed" | "Failed" | "Cancelled";

export type VideoStage = "Fetching" | "Rendering";

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

/** Encoding cost, in minutes of 1080p at 30 fps. */
export type CostLimits = { videoMinutes: number; jobMinutes: number };

export const COST_LIMITS: CostLimits = { videoMinutes: 2_000, jobMinutes: 50_000 };

/** Automatic retries of a video. */
export const MAX_RETRIES = 3;

/** More are allowed (SPEC section 5). */
export const RECOMMENDED_VARIANTS = 5;

export const CANCELLED_BY_USER = "Job cancelled by user";
export const ALREADY_FINISHED = "The job has already finished.";

/** With all its lists. Times are ISO 8601. */
export type WholeJob = JobSettings & JobState;

type JobState = {
  id: string;
  status: JobStatus;
  /** Rank among Queued jobs, from 1; null while held or not Queued. Computed on read. */
  queue_position: number | null;
  /** The job's page; null until it has an output. */
  folder_link: string | null;
  /** Signed relative URL, valid for 24 h; null without a zip. */
  download_url: string | null;
  /** Signed: manifest.json, or manifest.csv with `&format=csv`; null without a zip. */
  manifest_url: string | null;
  error_message: string | null;
  /** Encoded share of all outputs' time, 0-100; failed videos count as done. Never falls while the job runs. */
  progress: number;
  /** Remaining seconds at the measured speed; null unless Processing and measured. Computed on read. */
  seconds_left: number | null;
  current_video: number | null;
  total_videos: number;
  /** Failed so far in a running job, else null. Computed on read. */
  failed_videos: number | null;
  /** Waiting to start; null unless Queued or Processing. Computed on read. */
  waiting_videos: number | null;
  retry_count: number;
  max_retries: number;
  processing_started_at: string | null;
  /** When retention deleted its files; null while they exist. */
  files_deleted_at?: string | null;
  /** When retention deletes its files; null without files or if kept forever. Computed on read. */
  files_kept_until: string | null;
  proof_state: ProofState | null;
  /** Samples are ready for a decision; nothing of the job runs. */
  awaiting_approval: boolean;
  /** When the job was put on hold; null if not held. */
  held_at: string | null;
  updated_at: string;
  created_at: string;
};

/** Immutable. A light row omits all of them if they total more than 16 kB. */
export const LONG_LISTS = ["input_videos", "rows", "custom_captions", "custom_audio_links"] as const;
type LongList = (typeof LONG_LISTS)[number];

/** A light row, for lists and live updates. */
export type Job = Omit<WholeJob, LongList> & Partial<Pick<WholeJob, LongList>>;

export type JobVideo = FailureColumns & {
  id: string;
  job_id: string;
  /** Place in the job, from 0. */
  position: number;
  link: string;
  /** Null until known. */
  name: string | null;
  status: VideoStatus;
  stage: VideoStage | null;
  /** 0-100. */
  progress: number;
  attempts: number;
  /** The resting host that the video waits for, or null. Such a wait uses up no attempts. */
  waits_for: string | null;
  waiting_since: string | null;
  /** Approximate time of the next attempt; null if it only waits for its turn. Computed on read. */
  next_try_at: string | null;
  duration_seconds: number | null;
  started_at: string | null;
  ended_at: string | null;
  updated_at: string;
  created_at: string;
};

export type JobOutput = FailureColumns & {
  id: string;
  job_id: string;
  video_id: string;
  /** From 0. */
  variant: number;
  /** From 0; 0 without segmentation. */
  segment: number;
  /** The file's name, in the zip too. */
  name: string;
  status: VideoStatus;
  /** 0-100. */
  progress: number;
  caption: string | null;
  /** The music's file name, or its link until known. */
  track: string | null;
  /** The part of the source; null for older outputs. */
  start_seconds: number | null;
  end_seconds: number | null;
  duration_seconds: number | null;
  width: number | null;
  height: number | null;
  size_bytes: number | null;
  /** In hex; null until stored, and for older files. */
  sha256: string | null;
  /** How the file falls short of the request. */
  warnings: Warning[];
  /** How the file meets its platform's rules; null without a platform or file. */
  conformance: ConformanceReport | null;
  /** Null until reviewed, and again when the file is made again. */
  verdict: Verdict | null;
  reason: string | null;
  reviewed_at: string | null;
  /** URL of its Cloak Manager route; null without `link_domain_id` and until the job completes. */
  link: string | null;
  /** Signed relative URL, valid for 24 h, with range requests; null until stored. */
  media_url: string | null;
  thumbnail_url: string | null;
  updated_at: string;
  created_at: string;
};

export type JobEvent = {
  id: number;
  job_id: string;
  /** Null for the job itself. */
  video_id: string | null;
  status: JobStatus;
  attempt: number | null;
  message: string | null;
  created_at: string;
};

/** Falls back to the beginning of the id. */
export function jobTitle(job: Pick<Job, "id" | "job_name">): string {
  return job.job_name || `Job ${job.id.slice(0, 8)}`;
}
