import { sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { Acting } from "../../audit/actor.ts";
import type { Context } from "../../context.ts";
import { changeWaitingJob } from "./change-waiting-job.ts";

const ON_HOLD = "The job is on hold. Release it first.";
const NOTHING_WAITS = "None of this job's videos are waiting.";

/**
 * Moves a job to the front: its waiting videos come next, before those of all other jobs, also of one that was moved
 * earlier. Those that run are not touched. Throws ClipmillError "not_found", or "conflict" when nothing can be moved.
 */
export function bumpJob(context: Pick<Context, "db" | "queue" | "links"> & Acting, jobId: string): Promise<WholeJob> {
  return changeWaitingJob(context, jobId, "job.bump", async (trx, job, videoIds) => {
    if (job.held_at !== null) throw new ClipmillError("conflict", ON_HOLD);
    // As many tags as the job has videos, each of them lower than any before. The row's lock puts two moves in an order.
    const { front_tag: front } = await trx
      .updateTable("queue_clock")
      .set({ front_tag: sql<number>`front_tag - ${job.total_videos}::int` })
      .returning("front_tag")
      .executeTakeFirstOrThrow();
    const moved = await context.queue.videos.move(trx, videoIds, front);
    if (moved === 0) throw new ClipmillError("conflict", NOTHING_WAITS);
    return { start_tag: front };
  });
}
