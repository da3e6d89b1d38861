/**
 * Rows shared by all programs; docs/GLOSSARY.md defines the terms. The `segmentation_type` `single` makes one clip per
 * variant, `multiple` cuts the whole video into clips.
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

/** Valid status transitions. Every change of a job's status goes through `canBecome`. */
const NEXT_STATUSES: Record<JobStatus, readonly JobStatus[]> = {
  Queued: ["Processing", "Cancelling", "Cancelled", "Failed"],
  Processing: ["Completed", "Failed", "Cancelling"],
  Cancelling: ["Cancelled"],
  // A retry of the failed videos puts an ended job back in the queue.
  Completed: ["Queued"],
  Failed: ["Queued"],
  Cancelled: [],
};
const FINAL_STATUSES: ReadonlySet<JobStatus> = new Set(["Completed", "Failed", "Cancelled"]);

/** Returns true if the transition is valid. No status can become itself. */
export function canBecome(from: JobStatus, to: JobStatus): boolean {
  return NEXT_STATUSES[from].includes(to);
}

/** Returns true for a status that only a retry by an operator changes. */
export function isFinal(status: JobStatus): boolean {
  return FINAL_STATUSES.has(status);
}

/**
 * Samples are being made (`making`) or wait for a decision (`waiting`); the whole job was approved, or ended with its
 * samples (`stopped`).
 */
export type ProofState = "making" | "waiting" | "approved" | "stopped";

/** Also the status of an output. */
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

/** Encoding limits, in minutes of 1080p at 30 frames per second. */
export type CostLimits = { videoMinutes: number; jobMinutes: number };

/** Defaults. A job of 1,000 one-minute videos in 10 variants costs 10,000 minutes. */
export const COST_LIMITS: CostLimits = { videoMinutes: 2_000, jobMinutes: 50_000 };

/** Automatic retries of a video. */
export const MAX_RETRIES = 3;

/** Shown as a recommendation; more variants are allowed (SPEC section 5). */
export const RECOMMENDED_VARIANTS = 5;

export const CANCELLED_BY_USER = "Job cancelled by user";
export const ALREADY_FINISHED = "The job has already finished.";

/** A row of the table jobs on the wire, with all its lists. Times are ISO 8601. */
export type WholeJob = JobSettings & JobState;

/** The part of a job that the programs write. */
type JobState = {
  id: string;
  status: JobStatus;
  /** Rank among the Queued jobs, from 1; null while held and in any other status. Computed on read. */
  queue_position: number | null;
  /** The job's page in the app; null until it has an output. */
  folder_link: string | null;
  /** Signed relative URL, valid for 24 h; null without a zip. */
  download_url: string | null;
  /** Signed like `download_url`: manifest.json, or manifest.csv with `&format=csv`; null without a zip. */
  manifest_url: string | null;
  error_message: string | null;
  /** Share of encoded time over all outputs, 0-100. */
  progress: number;
  /** Remaining seconds of a Processing job at its measured speed; null until that is known. Computed on read. */
  seconds_left: number | null;
  current_video: number | null;
  total_videos: number;
  /** Videos failed so far in a running job; null in any other status. Computed on read. */
  failed_videos: number | null;
  /** Videos waiting to start; null unless Queued or Processing. Computed on read. */
  waiting_videos: number | null;
  retry_count: number;
  max_retries: number;
  processing_started_at: string | null;
  /** When retention deleted its files; null while they exist. */
  files_deleted_at?: string | null;
  /** When its files will be deleted; null without files or if kept forever. Computed on read. */
  files_kept_until: string | null;
  /** Where the job is with its samples; null without `proof_count`. */
  proof_state: ProofState | null;
  /** True while the samples are ready and wait for a decision; nothing of the job runs then. */
  awaiting_approval: boolean;
  /** When the job was put on hold, which keeps its waiting videos from starting; null if not held. */
  held_at: string | null;
  updated_at: string;
  created_at: string;
};

/** Immutable lists that a light row omits, all of them, if they total more than 16 kB. */
export const LONG_LISTS = ["input_videos", "rows", "custom_captions", "custom_audio_links"] as const;
type LongList = (typeof LONG_LISTS)[number];

/** A job in lists and live updates: a light row. */
export type Job = Omit<WholeJob, LongList> & Partial<Pick<WholeJob, LongList>>;

/** A row of the table job_videos. */
export type JobVideo = FailureColumns & {
  id: string;
  job_id: string;
  /** Place in the job, from 0. */
  position: number;
  link: string;
  /** The source's file name; null until known. */
  name: string | null;
  status: VideoStatus;
  stage: VideoStage | null;
  /** 0-100. */
  progress: number;
  attempts: number;
  /** The resting host that the video is waiting for, or null. Such a wait uses up no attempts. */
  waits_for: string | null;
  /** When that wait started. */
  waiting_since: string | null;
  /** Approximate time of the next attempt; null if it only waits for its turn. Computed on read. */
  next_try_at: string | null;
  duration_seconds: number | null;
  started_at: string | null;
  ended_at: string | null;
  updated_at: string;
  created_at: string;
};

/** A row of the table job_outputs. */
export type JobOutput = FailureColumns & {
  id: string;
  job_id: string;
  video_id: string;
  /** From 0. */
  variant: number;
  /** From 0; 0 without segmentation. */
  segment: number;
  /** Name in the zip. */
  name: string;
  status: VideoStatus;
  /** 0-100. */
  progress: number;
  caption: string | null;
  /** The music file's name, or its link until the name is known. */
  track: string | null;
  /** The part of the source that it shows; null for older outputs. */
  start_seconds: number | null;
  end_seconds: number | null;
  duration_seconds: number | null;
  width: number | null;
  height: number | null;
  size_bytes: number | null;
  /** Of the file, in hex; null until it is stored, and for older files. */
  sha256: string | null;
  /** How the file falls short of the request; usually empty. */
  warnings: Warning[];
  /** How the file meets its platform's rules; null without a platform or a file. */
  conformance: ConformanceReport | null;
  /** The review's result; null until reviewed, and again for a file that is made again. */
  verdict: Verdict | null;
  /** Why it was rejected, if the reviewer gave a reason. */
  reason: string | null;
  reviewed_at: string | null;
  /** URL of its route in Cloak Manager; null without `link_domain_id`, and until the job completes. */
  link: string | null;
  /** Signed relative URL, valid for 24 h, that supports range requests; null until the file is stored. */
  media_url: string | null;
  thumbnail_url: string | null;
  updated_at: string;
  created_at: string;
};

/** A status reached by a job or one of its videos. */
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

/** Returns the job's name, or "Job " and the first 8 characters of its id. */
export function jobTitle(job: Pick<Job, "id" | "job_name">): string {
  return job.job_name || `Job ${job.id.slice(0, 8)}`;
}
