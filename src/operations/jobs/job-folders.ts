import type { JobsTable } from "#database/tables.ts";
import type { Selectable } from "kysely";

/** Where a job's files are in storage. */
export function foldersOf(job: Pick<Selectable<JobsTable>, "id" | "output_folder">): {
  outputs: string;
  thumbnails: string;
} {
  const parent = job.output_folder ? `outputs/${job.output_folder}` : "outputs";
  return { outputs: `${parent}/${job.id}`, thumbnails: `thumbnails/${job.id}` };
}

/**
 * Where an attempt puts one of the job's outputs. No two attempts at a video share a place, so that a worker that was thought
 * dead cannot write over the file of the one that took over.
 */
export function outputKeyOf(job: Parameters<typeof foldersOf>[0], name: string, attempt: number): string {
  const { outputs } = foldersOf(job);
  return attempt === 1 ? `${outputs}/${name}` : `${outputs}/attempt-${attempt}/${name}`;
}
