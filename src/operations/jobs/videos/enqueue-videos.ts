import { sql, type Transaction } from "kysely";
import { parseWorkerLabels } from "#contract/jobs/worker-labels.ts";
import type { Tables } from "#database/tables.ts";
import type { ForgottenClaims } from "#queue/task-table.ts";
import type { Context } from "../../context.ts";

/**
 * Queues videos in order, as if they arrived now; on hold if the job is. `forgotten` holds their earlier tasks. Returns
 * the first start tag. Requires the lock of an existing job.
 */
export async function enqueueVideos(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  jobId: string,
  videos: readonly { id: string; attempts: number }[],
  forgotten?: ForgottenClaims,
): Promise<number> {
  const { now, isHeld, labels } = await trx
    .selectFrom(["jobs", "queue_clock"])
    .select(["virtual_time as now", sql<boolean>`held_at is not null`.as("isHeld")])
    .select(sql<string | null>`settings->>'worker_labels'`.as("labels"))
    .where("jobs.id", "=", jobId)
    .executeTakeFirstOrThrow();
  const needed = parseWorkerLabels(labels ?? "") ?? [];
  const tasks = videos.map(({ id, attempts }, place) => ({
    videoId: id,
    jobId,
    startTag: now + place,
    ...(attempts > 0 && { attemptsBefore: attempts }),
    ...(needed.length > 0 && { labels: needed }),
  }));
  await context.queue.videos.enqueue(trx, tasks, { isHeld, ...(forgotten && { after: forgotten }) });
  return now;
}
