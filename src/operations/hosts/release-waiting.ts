import { sql, type Transaction } from "kysely";
import type { HostName } from "#contract/hosts.ts";
import type { Tables } from "#database/tables.ts";
import type { QueueName } from "#queue/waiting-tasks.ts";
import type { Context } from "../context.ts";
import { NO_FAILURE } from "../jobs/failure-columns.ts";

/** The tables whose rows may wait for a host, by the queue that their tasks are in. */
export const WAITING = { videos: "job_videos", captions: "caption_tasks" } as const satisfies Record<QueueName, string>;
const WITHOUT_REASON = { videos: NO_FAILURE, captions: { error_message: null } };
export const WAITING_QUEUES = ["videos", "captions"] as const satisfies readonly QueueName[];

/**
 * Returns everything that waits for a host to the queue, each video in its place. Skips locked rows; the next check
 * of waiting tasks releases them.
 */
export async function releaseWaiting(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  host: HostName,
): Promise<void> {
  for (const queue of WAITING_QUEUES) {
    const table = WAITING[queue];
    const waiting = await trx
      .selectFrom(table)
      .select("id")
      .where("status", "=", "Queued")
      .where("waiting_since", "is not", null)
      .where("waits_for", "=", host)
      // Nothing in here waits for a lock, so no cancel or retry can wait for this one and be waited for.
      .forNoKeyUpdate()
      .skipLocked()
      .execute();
    if (waiting.length === 0) continue;
    const woken = await context.queue.wake(
      trx,
      queue,
      waiting.map(({ id }) => id),
    );
    await trx
      .updateTable(table)
      .set({ ...WITHOUT_REASON[queue], waits_for: null, waiting_since: null, updated_at: sql<string>`now()` })
      .where("id", "=", sql<string>`any(${woken}::uuid[])`)
      .where("status", "=", "Queued")
      .where("waits_for", "=", host)
      .execute();
  }
}
