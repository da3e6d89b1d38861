import { type RawBuilder, type Selectable, sql, type Transaction } from "kysely";
import { canBecome, type JobStatus } from "#contract/jobs/jobs.ts";
import type { JobsTable, Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { isWanted } from "../outgoing/write-event.ts";
import { EVENT_OF_STATUS, writeJobEvent } from "../outgoing/write-job-event.ts";
import type { LockedJob } from "./lock-job.ts";

type JobRow = Selectable<JobsTable>;
type Details = Partial<
  Pick<JobRow, "error_message" | "progress" | "current_video" | "start_tag" | "awaited_seconds" | "awaiting_since"> & {
    processing_started_at: RawBuilder<string> | null;
  }
>;

/**
 * Also writes the event. Throws for a transition that is not allowed. With a shared job, the first of several changes
 * counts; the others wait for it and change nothing.
 */
export async function setJobStatus(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  job: LockedJob,
  status: JobStatus,
  details: Details = {},
): Promise<void> {
  if (!canBecome(job.status, status)) throw new Error(`A job in ${job.status} cannot become ${status} (${job.id}).`);
  const type = EVENT_OF_STATUS[status];
  const changed = await trx
    .updateTable("jobs")
    .set({
      ...details,
      status,
      updated_at: sql<string>`now()`,
      ...(status === "Queued" && { queued_at: sql<string>`now()` }),
    })
    .where("id", "=", job.id)
    .where("status", "=", job.status)
    // Costs nothing without a webhook.
    .returning((type ? isWanted(type) : sql<boolean>`false`).as("isWanted"))
    .executeTakeFirst();
  if (!changed && !job.isShared) throw new Error(`The job ${job.id} was not locked.`);
  if (type && changed?.isWanted) await writeJobEvent(context, trx, type, job.id);
}
