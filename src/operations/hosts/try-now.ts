import { sql, type Transaction } from "kysely";
import type { HostName } from "#contract/sources/cooldowns.ts";
import type { Tables } from "#database/tables.ts";
import type { QueueName } from "#queue/open-queue.ts";
import { TASK_TABLES } from "../attempts/task-rows.ts";
import type { Context } from "../context.ts";
import { startProbe } from "./wake-waiting.ts";

/** One waiting row probes each host, unless a task already does; the others follow when the host responds. */
export async function tryNow(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  queue: QueueName,
  waiting: readonly { id: string; waits_for: HostName | null }[],
): Promise<void> {
  const alone = waiting.filter((row) => row.waits_for === null).map(({ id }) => id);
  const woken = await context.queue[queue].wake(trx, alone);
  await trx
    .updateTable(TASK_TABLES[queue])
    .set({ next_try_at: null, updated_at: sql<string>`now()` })
    .where("id", "=", sql<string>`any(${woken}::uuid[])`)
    .execute();
  for (const host of new Set(waiting.flatMap((row) => row.waits_for ?? []))) {
    const ids = waiting.flatMap((row) => (row.waits_for === host ? row.id : []));
    await tryHost(context, trx, host, ids);
  }
}

async function tryHost(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  host: HostName,
  ids: string[],
): Promise<void> {
  const row = await trx.selectFrom("hosts").selectAll().where("host", "=", host).forUpdate().executeTakeFirst();
  // The host has just responded; its waiting tasks are about to be released.
  if (!row || row.cools_until === null) return;
  if (!(await startProbe(context, trx, row, ids))) return;
  await trx
    .updateTable("hosts")
    .set({ cools_until: sql<string>`least(cools_until, now())` })
    .where("host", "=", host)
    .execute();
}
