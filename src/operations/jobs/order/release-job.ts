import { sql } from "kysely";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { ActorContext } from "../../audit/actor.ts";
import type { Context } from "../../context.ts";
import { changeWaitingJob } from "./change-waiting-job.ts";

/** Queues the job as if it arrived now, or first if it was bumped. Idempotent. Throws like changeWaitingJob. */
export function releaseJob(
  context: Pick<Context, "db" | "queue" | "links"> & ActorContext,
  jobId: string,
): Promise<WholeJob> {
  return changeWaitingJob(context, jobId, "job.release", async (trx, job, videoIds) => {
    if (job.held_at === null) return null;
    const clock = await trx.selectFrom("queue_clock").select("virtual_time").executeTakeFirstOrThrow();
    // Time on hold does not count as waiting for a host.
    await trx
      .updateTable("job_videos")
      .set({ waiting_since: sql<string>`now()` })
      .where("job_id", "=", jobId)
      .where("status", "=", "Queued")
      .where("waiting_since", "is not", null)
      .execute();
    const lowest = await context.queue.videos.release(trx, videoIds, clock.virtual_time);
    return { held_at: null, ...(lowest !== null && { start_tag: lowest }) };
  });
}
