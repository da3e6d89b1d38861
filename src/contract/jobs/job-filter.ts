import type { Job, JobStatus } from "./jobs.ts";

export const JOB_TYPE_COLUMNS = { captions: "captions_enabled", audio: "audio_enabled" } as const;
export type JobType = keyof typeof JOB_TYPE_COLUMNS;
export const JOB_TYPES = Object.keys(JOB_TYPE_COLUMNS) as [JobType, ...JobType[]];

/** In UTF-16 code units. */
export const MAX_SEARCH_CHARACTERS = 200;

export type JobFilter = { status: JobStatus | null; type: JobType | null };

/** Only the server evaluates searches. */
export function matchesJobFilter(
  job: Pick<Job, "status" | (typeof JOB_TYPE_COLUMNS)[JobType]>,
  { status, type }: JobFilter,
): boolean {
  return (status === null || job.status === status) && (type === null || job[JOB_TYPE_COLUMNS[type]]);
}
