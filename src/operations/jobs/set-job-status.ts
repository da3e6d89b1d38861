import { type RawBuilder, type Selectable, sql, type Transaction } from "kysely";
import { canBecome, type JobStatus } from "#contract/jobs/jobs.ts";
import type { JobsTable, Tables } from "#database/tables.ts";
import { isWanted } from "../outgoing/write-event.ts";
import { EVENT_OF_STATUS, writeJobEvent } from "../outgoing/write-job-event.ts";

type JobRow = Selectable<JobsTable>;
/** A job without captions and links, which may be megabytes. */
export type LockedJob = Pick<JobRow, "id" | "status" | "total_videos" | "held_at" | "proof_state">;
type Details = Partial<
  Pick<JobRow, "error_message" | "progress" | "current_video" | "start_tag"> & {
    processing_started_at: RawBuilder<string> | null;
  }
>;

/** Locks a job for the transaction: the first step of every change of state. Returns null if it was deleted. */
export async function lockJob(trx: Transaction<Tables>, jobId: string): Promise<LockedJob | null> {
  const job = await trx
    .selectFrom("jobs")
    .select(["id", "status", "total_videos", "held_at", "proof_state"])
    .where("id", "=", jobId)
    .forUpdate()
    .executeTakeFirst();
  return job ?? null;
}

/** Changes a locked job's status and writes its event. Throws if the transition is not allowed. */
export async function setJobStatus(
  trx: Transaction<Tables>,
  job: LockedJob,
  status: JobStatus,
  details: Details = {},
): Promise<void> {
  if (!canBecome(job.status, status)) throw new Error(`A job in ${job.status} cannot become ${status} (${job.id}).`);
  const type = EVENT_OF_STATUS[status];
  const { isWanted: isEventWanted } = await trx
    .updateTable("jobs")
    .set({
      ...details,
      status,
      updated_at: sql<string>`now()`,
      ...(status === "Queued" && { queued_at: sql<string>`now()` }),
    })
    .where("id", "=", job.id)
    // Costs nothing if nobody wants it.
    .returning((type ? isWanted(type) : sql<boolean>`false`).as("isWanted"))
    .executeTakeFirstOrThrow();
  if (type && isEventWanted) await writeJobEvent(trx, type, job.id);
}
