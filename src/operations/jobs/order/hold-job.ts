import { sql } from "kysely";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { ActorContext } from "../../audit/actor.ts";
import type { Context } from "../../context.ts";
import { changeWaitingJob } from "./change-waiting-job.ts";

/**
 * Waiting videos do not start until a release, even after a restart or retry; running videos finish. Idempotent. Throws
 * like changeWaitingJob.
 */
export function holdJob(
  context: Pick<Context, "db" | "queue" | "links"> & ActorContext,
  jobId: string,
): Promise<WholeJob> {
  return changeWaitingJob(context, jobId, "job.hold", async (trx, job, videoIds) => {
    if (job.held_at !== null) return null;
    await context.queue.videos.hold(trx, videoIds);
    return { held_at: sql<string>`now()` };
  });
}
