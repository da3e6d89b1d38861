import type { Transaction } from "kysely";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { ActorContext } from "../../audit/actor.ts";
import type { Context } from "../../context.ts";
import { CANCELLED_VIDEO, finalizeJob } from "../finalize-job.ts";
import { setJobStatus } from "../set-job-status.ts";
import { decideProof } from "./decide-proof.ts";
import { leaveWaiting } from "./leave-waiting.ts";

/** Completes the job with its samples, or cancels it without any. Throws like decideProof. */
export function stopProof(
  context: Pick<Context, "db" | "links" | "queue"> & ActorContext,
  jobId: string,
): Promise<WholeJob> {
  return decideProof(context, jobId, "job.stop", async (trx, job) => {
    await trx
      .updateTable("job_videos")
      .set(CANCELLED_VIDEO)
      .where("job_id", "=", jobId)
      .where("status", "=", "Queued")
      .execute();
    const stopped = await leaveWaiting(trx, job, "stopped");
    if (await hasFiles(trx, jobId)) {
      await finalizeJob(context, trx, stopped);
      return true;
    }
    await setJobStatus(context, trx, stopped, "Cancelling");
    await finalizeJob(context, trx, { ...stopped, status: "Cancelling" });
    return true;
  });
}

async function hasFiles(trx: Transaction<Tables>, jobId: string): Promise<boolean> {
  const file = await trx
    .selectFrom("job_outputs")
    .select("id")
    .where("job_id", "=", jobId)
    .where("status", "=", "Completed")
    .limit(1)
    .executeTakeFirst();
  return file !== undefined;
}
