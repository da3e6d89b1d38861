import { sql, type Transaction } from "kysely";
import type { JobStatus } from "#contract/jobs/jobs.ts";
import type { EventType, JobEventData } from "#contract/webhooks/webhooks.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { writeEvent } from "./write-event.ts";

/** Keeps events below 20 kB. */
const MAX_ERROR_CHARACTERS = 1_000;

export const EVENT_OF_STATUS: Partial<Record<JobStatus, EventType>> = {
  Processing: "job.started",
  Completed: "job.completed",
  Failed: "job.failed",
  Cancelled: "job.cancelled",
};

/** Describes the job as it is now. Requires its lock. */
export async function writeJobEvent(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  type: EventType,
  jobId: string,
): Promise<void> {
  const { updated_at: timestamp, ...data } = await trx
    .selectFrom("jobs")
    .select(["id as job_id", "job_name", "status", "total_videos", "updated_at"])
    .select([
      sql<number>`(select count(*)::int from job_outputs where job_id = jobs.id and status = 'Completed')`.as("files"),
      sql<string | null>`left(error_message, ${MAX_ERROR_CHARACTERS})`.as("error_message"),
    ])
    .where("id", "=", jobId)
    .executeTakeFirstOrThrow();
  await writeEvent(context, trx, { type, timestamp, data: data satisfies JobEventData, jobId });
}
