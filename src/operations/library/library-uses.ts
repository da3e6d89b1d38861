/** Finds what keeps library files from being deleted. */
import { sql, type Transaction } from "kysely";
import type { HeldFile } from "#contract/calls.ts";
import type { Tables } from "#database/tables.ts";

/** A condition on `jobs`: the job still reads its files. */
export const UNFINISHED_JOB = sql<boolean>`jobs.status in ('Queued', 'Processing', 'Cancelling')`;

const JOBS_LISTED = 20;

type LibraryFileName = { id: string; name: string };

/** Returns the files that unfinished jobs or caption batches need, in order. Lock the files first. */
export async function findHeldFiles(trx: Transaction<Tables>, files: readonly LibraryFileName[]): Promise<HeldFile[]> {
  if (files.length === 0) return [];
  const jobs = await trx
    .selectFrom("library_uses")
    .innerJoin("jobs", "jobs.id", "job_id")
    .select(["file_id", "jobs.id", "job_name"])
    .where(
      "file_id",
      "in",
      files.map(({ id }) => id),
    )
    .where(UNFINISHED_JOB)
    .orderBy("jobs.created_at")
    .orderBy("jobs.id")
    .execute();
  const tasks = await trx
    .selectFrom("caption_tasks")
    .select("link")
    .where("status", "in", ["Queued", "Processing"])
    .execute();
  const jobsByFile = Map.groupBy(jobs, (job) => job.file_id);
  return files.flatMap(({ id, name }): HeldFile[] => {
    const own = jobsByFile.get(id) ?? [];
    // Ids are long and random: no other link contains one by chance, in any spelling.
    const isInCaptionLab = tasks.some(({ link }) => link.includes(id));
    if (own.length === 0 && !isInCaptionLab) return [];
    const listed = own.slice(0, JOBS_LISTED).map((job) => ({ id: job.id, job_name: job.job_name }));
    return [{ id, name, jobs: listed, jobCount: own.length, isInCaptionLab }];
  });
}
