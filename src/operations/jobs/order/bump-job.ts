import { sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { ActorContext } from "../../audit/actor.ts";
import type { Context } from "../../context.ts";
import { changeWaitingJob } from "./change-waiting-job.ts";

const ON_HOLD = "The job is on hold. Release it first.";
const NOTHING_WAITS = "None of this job's videos are waiting.";

/** Moves waiting videos to the front. Throws ClipmillError "not_found", or "conflict" if nothing can be moved. */
export function bumpJob(
  context: Pick<Context, "db" | "queue" | "links"> & ActorContext,
  jobId: string,
): Promise<WholeJob> {
  return changeWaitingJob(context, jobId, "job.bump", async (trx, job, videoIds) => {
    if (job.held_at !== null) throw new ClipmillError("conflict", ON_HOLD);
    // A tag per video, all lower than any before. The row lock orders concurrent bumps.
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
