import { sql, type Transaction } from "kysely";
import type { HostName } from "#contract/sources/cooldowns.ts";
import type { Tables } from "#database/tables.ts";
import { reasonColumns, TASK_QUEUES, TASK_TABLES } from "../attempts/task-rows.ts";
import type { Context } from "../context.ts";

/** Returns a host's waiting tasks to the queue. Skips locked rows until the next check. */
export async function releaseWaiting(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  host: HostName,
): Promise<void> {
  for (const queue of TASK_QUEUES) {
    const table = TASK_TABLES[queue];
    const waiting = await trx
      .selectFrom(table)
      .select("id")
      .where("status", "=", "Queued")
      .where("waiting_since", "is not", null)
      .where("waits_for", "=", host)
      // Never waits for a lock, so it cannot deadlock with a cancel or retry.
      .forNoKeyUpdate()
      .skipLocked()
      .execute();
    if (waiting.length === 0) continue;
    const woken = await context.queue[queue].wake(
      trx,
      waiting.map(({ id }) => id),
    );
    await trx
      .updateTable(table)
      .set({ ...reasonColumns(queue, null), waits_for: null, waiting_since: null, updated_at: sql<string>`now()` })
      .where("id", "=", sql<string>`any(${woken}::uuid[])`)
      .where("status", "=", "Queued")
      .where("waits_for", "=", host)
      .execute();
  }
}
