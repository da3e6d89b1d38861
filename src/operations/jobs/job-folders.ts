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
