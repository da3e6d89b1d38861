import { type Selectable, sql, type Transaction } from "kysely";
import { canBecome, type JobStatus } from "#contract/jobs.ts";
import type { JobsTable, Tables } from "#database/tables.ts";

type JobRow = Selectable<JobsTable>;
type Details = Partial<Pick<JobRow, "error_message" | "progress" | "current_video" | "processing_started_at">>;

/** The job's row, locked for the rest of the transaction: the first step of every change of state. Null when it is gone. */
export async function lockJob(trx: Transaction<Tables>, jobId: string): Promise<JobRow | null> {
  return (await trx.selectFrom("jobs").selectAll().where("id", "=", jobId).forUpdate().executeTakeFirst()) ?? null;
}

/** Moves a locked job to another status. Throws on a step that the table of transitions does not have. */
export async function setJobStatus(
  trx: Transaction<Tables>,
  job: JobRow,
  status: JobStatus,
  details: Details = {},
): Promise<void> {
  if (!canBecome(job.status, status)) throw new Error(`A job in ${job.status} cannot become ${status} (${job.id}).`);
  await trx
    .updateTable("jobs")
    .set({ ...details, status, updated_at: sql<string>`now()` })
    .where("id", "=", job.id)
    .execute();
}
