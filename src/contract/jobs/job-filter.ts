/** How lists of jobs are filtered, for the screen that shows them and the server that finds them. */
import type { Job, JobStatus } from "./jobs.ts";

/** The column that is true for the jobs of a type. */
export const JOB_TYPE_COLUMNS = { captions: "captions_enabled", audio: "audio_enabled" } as const;
export type JobType = keyof typeof JOB_TYPE_COLUMNS;
export const JOB_TYPES = Object.keys(JOB_TYPE_COLUMNS) as [JobType, ...JobType[]];

/** The longest text that a search takes, in UTF-16 code units. */
export const MOST_SEARCH_CHARACTERS = 200;

/** Null is everything. */
export type JobFilter = { status: JobStatus | null; type: JobType | null };

/** Returns whether a list with this filter holds the job. What a search finds, only the server knows. */
export function matchesJobFilter(
  job: Pick<Job, "status" | (typeof JOB_TYPE_COLUMNS)[JobType]>,
  { status, type }: JobFilter,
): boolean {
  return (status === null || job.status === status) && (type === null || job[JOB_TYPE_COLUMNS[type]]);
}
