import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { isWanted } from "../../outgoing/write-event.ts";
import { writeJobEvent } from "../../outgoing/write-job-event.ts";
import type { LockedJob } from "../lock-job.ts";
import { setJobStatus } from "../set-job-status.ts";
import { UNMEASURED } from "./proof-states.ts";

/** Requires the job's lock. No task is in the queue then, so the job's workers are free. */
export async function waitForApproval(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  job: LockedJob,
): Promise<void> {
  // All samples may have failed before one was claimed.
  if (job.status === "Queued") {
    await setJobStatus(context, trx, job, "Processing", {
      processing_started_at: sql<string>`now()`,
      current_video: 1,
    });
  }
  const { isWanted: isEventWanted } = await trx
    .updateTable("jobs")
    .set({
      proof_state: "waiting",
      progress: sql<number>`greatest(progress, progress_of_job(${job.id}))`,
      ...UNMEASURED,
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", job.id)
    .returning(isWanted("job.proof_ready").as("isWanted"))
    .executeTakeFirstOrThrow();
  if (isEventWanted) await writeJobEvent(context, trx, "job.proof_ready", job.id);
}
