import { cleanFileName } from "#contract/clean-name.ts";
import type { JobsTable } from "#database/tables.ts";
import { type Selectable, sql } from "kysely";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Never returns a job's id: deleting that job would delete the files of the jobs in this folder. */
export function cleanFolderName(text: string): string {
  const name = cleanFileName(text, "outputs");
  return UUID.test(name) ? `_${name}` : name;
}

/**
 * Prefixes of storage keys, without a trailing slash. Each ends in the job's id, so jobs share none, even with the same
 * `output_folder`.
 */
export function foldersOf(job: Pick<Selectable<JobsTable>, "id" | "output_folder">): {
  outputs: string;
  thumbnails: string;
} {
  const parent = job.output_folder ? `outputs/${job.output_folder}` : "outputs";
  return { outputs: `${parent}/${job.id}`, thumbnails: `thumbnails/${job.id}` };
}

export const COVER_SUFFIX = ".jpg";

/** Of the cover beside the file with that key. */
export function coverKeyOf(storageKey: string): string {
  return storageKey + COVER_SUFFIX;
}

/** The same in SQL. */
export const COVER_KEY = sql<string>`storage_key || ${COVER_SUFFIX}`;

/** Attempts never share a key, so a worker presumed dead cannot overwrite its successor's file. */
export function outputKeyOf(job: Parameters<typeof foldersOf>[0], name: string, attempt: number): string {
  const { outputs } = foldersOf(job);
  return attempt === 1 ? `${outputs}/${name}` : `${outputs}/attempt-${attempt}/${name}`;
}
