/**
 * Jobs as all programs know them.
 *
 * Glossary
 * - job: what an operator asks for: some videos, and what to do with each of them.
 * - video: one input link of a job. It is claimed, fetched and rendered as a whole.
 * - variant: one of the versions made of every video (`variants_per_video`).
 * - segment: a window of a video. `single` makes one clip per variant, `multiple` cuts the whole video into clips.
 * - output: one file of a job: a video, a variant and, with `multiple`, a segment.
 * - caption: text burned into an output. track: a music file mixed into an output or replacing its sound.
 */
import type { FailureColumns } from "./failures.ts";
import type { JobSettings } from "../job-settings/job-settings.ts";
import { choicesOf } from "../job-settings/setting-values.ts";
import type { Warning } from "./warnings.ts";

export { JOB_LIMITS } from "./job-limits.ts";
export type { JobSettings } from "../job-settings/job-settings.ts";
export { JOB_DEFAULTS } from "../job-settings/setting-values.ts";

export const JOB_STATUSES = ["Queued", "Processing", "Cancelling", "Completed", "Failed", "Cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Which status may follow which. Every change of a job's status goes through `canBecome`. */
const NEXT_STATUSES: Record<JobStatus, readonly JobStatus[]> = {
  Queued: ["Processing", "Cancelling", "Cancelled", "Failed"],
  Processing: ["Completed", "Failed", "Cancelling"],
  Cancelling: ["Cancelled"],
  // An ended job waits again when what failed in it is to be tried once more.
  Completed: ["Queued"],
  Failed: ["Queued"],
  Cancelled: [],
};
const FINAL_STATUSES: ReadonlySet<JobStatus> = new Set(["Completed", "Failed", "Cancelled"]);

/** True when a job in `from` may go to `to`. */
export function canBecome(from: JobStatus, to: JobStatus): boolean {
  return NEXT_STATUSES[from].includes(to);
}

/** True for a status in which nothing happens any more, unless an operator has what failed tried again. */
export function isFinal(status: JobStatus): boolean {
  return FINAL_STATUSES.has(status);
}

/** The status of a video and of an output. */
export type VideoStatus = "Queued" | "Processing" | "Completed" | "Failed" | "Cancelled";

/** What a worker is doing with a video it has claimed. */
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

export const QUALITIES = choicesOf("quality");
export type Quality = JobSettings["quality"];

/** How much encoding is allowed, in minutes of 1080p at 30 frames a second. */
export type CostLimits = { videoMinutes: number; jobMinutes: number };

/** Default limits. A job of 1,000 one-minute videos in 10 variants takes 10,000. */
export const COST_LIMITS: CostLimits = { videoMinutes: 2_000, jobMinutes: 50_000 };

/** Attempts after the first that a video gets when its fault may pass. */
export const MAX_RETRIES = 3;

/** More variants are allowed; the fields show this recommendation (SPEC section 5). */
export const RECOMMENDED_VARIANTS = 5;

export const CANCELLED_BY_USER = "Job cancelled by user";
export const ALREADY_FINISHED = "The job has already finished.";

/** A row of the table jobs as it goes over the wire, with all its lists. Times are ISO 8601 text. */
export type WholeJob = JobSettings & JobState;

/** What happens to a job: the half of its row that the programs write. */
type JobState = {
  id: string;
  status: JobStatus;
  /** Rank among the Queued jobs, from 1; null on hold and in any other status. Computed when the row is read. */
  queue_position: number | null;
  /** The job's page in the app, once there is an output to see. */
  folder_link: string | null;
  /** Signed, relative, valid for 24 h; null while there is no zip. */
  download_url: string | null;
  error_message: string | null;
  /** Share of encoded time over all outputs, 0-100. */
  progress: number;
  /** Seconds a Processing job still takes at its measured speed; null until that is known. Computed when the row is read. */
  seconds_left: number | null;
  current_video: number | null;
  total_videos: number;
  /** How many of its videos have failed while the job runs; null in any other status. Computed when the row is read. */
  failed_videos: number | null;
  /** How many of its videos wait to be begun, while it is Queued or Processing; else null. Computed when the row is read. */
  waiting_videos: number | null;
  retry_count: number;
  max_retries: number;
  processing_started_at: string | null;
  /** When its files were deleted because they were old; null while they are there. */
  files_deleted_at?: string | null;
  /** When its files will be deleted; null where there are none, or they are kept for ever. Computed when the row is read. */
  files_kept_until: string | null;
  /** Since when the job is on hold: none of its waiting videos is begun, whatever its status. Null when it is not. */
  held_at: string | null;
  updated_at: string;
  created_at: string;
};

/** Lists that a light row lacks, all of them, if they are larger than 16 kB together. They never change. */
export const LONG_LISTS = ["input_videos", "custom_captions", "custom_audio_links"] as const;
type LongList = (typeof LONG_LISTS)[number];

/** A job as lists and live updates include it: a light row. */
export type Job = Omit<WholeJob, LongList> & Partial<Pick<WholeJob, LongList>>;

/** A row of the table job_videos. */
export type JobVideo = FailureColumns & {
  id: string;
  job_id: string;
  /** Place in the job, from 0. */
  position: number;
  link: string;
  /** The source's file name, once known. */
  name: string | null;
  status: VideoStatus;
  stage: VideoStage | null;
  /** 0-100. */
  progress: number;
  attempts: number;
  /** The outside service it is waiting for without using up attempts, or null. */
  waits_for: string | null;
  /** Start of the current wait that uses up no attempts. */
  waiting_since: string | null;
  /** Approximate time of the next attempt; null while it only waits for its turn. Computed when the row is read. */
  next_try_at: string | null;
  duration_seconds: number | null;
  started_at: string | null;
  ended_at: string | null;
  updated_at: string;
  created_at: string;
};

/** A row of the table job_outputs: one file. */
export type JobOutput = FailureColumns & {
  id: string;
  job_id: string;
  video_id: string;
  /** From 0. */
  variant: number;
  /** From 0; 0 without segmentation. */
  segment: number;
  /** The file's name in the zip. */
  name: string;
  status: VideoStatus;
  /** 0-100. */
  progress: number;
  caption: string | null;
  /** The name of the music file used, or its link while the name is unknown. */
  track: string | null;
  duration_seconds: number | null;
  width: number | null;
  height: number | null;
  size_bytes: number | null;
  /** What is worse about the file than was asked for; empty for most. */
  warnings: Warning[];
  /** Signed, relative, valid for 24 h; plays with ranges. Null until the file is stored. */
  media_url: string | null;
  thumbnail_url: string | null;
  updated_at: string;
  created_at: string;
};

/** A row of a job's history: a status that the job, or one of its videos, has reached. */
export type JobEvent = {
  id: number;
  job_id: string;
  /** Null when it is about the job itself. */
  video_id: string | null;
  status: JobStatus;
  attempt: number | null;
  message: string | null;
  created_at: string;
};

/** "Job " and the first 8 characters of the id, for a job without a name. */
export function jobTitle(job: Pick<Job, "id" | "job_name">): string {
  return job.job_name || `Job ${job.id.slice(0, 8)}`;
}
