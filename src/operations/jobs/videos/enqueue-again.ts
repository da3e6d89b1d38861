import type { Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { ForgottenClaims } from "#queue/task-table.ts";
import type { Context } from "../../context.ts";
import type { LockedJob } from "../set-job-status.ts";

/**
 * Queues videos of a locked job whose earlier tasks are forgotten, in the order given, as if they arrived now. Returns
 * the start tag of the first.
 */
export async function enqueueAgain(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  job: Pick<LockedJob, "id" | "held_at">,
  videos: readonly { id: string; attempts: number }[],
  forgotten: ForgottenClaims,
): Promise<number> {
  const { virtual_time: now } = await trx.selectFrom("queue_clock").select("virtual_time").executeTakeFirstOrThrow();
  const tasks = videos.map((video, i) => ({
    videoId: video.id,
    jobId: job.id,
    startTag: now + i,
    attemptsBefore: video.attempts,
  }));
  await context.queue.videos.enqueue(trx, tasks, { isHeld: job.held_at !== null, after: forgotten });
  return now;
}
