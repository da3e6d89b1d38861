/** Tasks that wait for a start time but can be woken earlier. */
import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { CAPTIONS, VIDEOS } from "./create-queues.ts";

export type QueueName = typeof VIDEOS | typeof CAPTIONS;

/**
 * Makes waiting tasks available now, in the order of their start tags; held ones stay held. Returns the ids of those that
 * waited. Skips locked tasks: two changes of many tasks could otherwise deadlock.
 */
export async function wake(trx: Transaction<Tables>, queue: QueueName, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with waiting as (
      select id from pgboss.job where name = ${queue} and id = any(${ids}::uuid[]) and state < 'active'
      for update skip locked
    )
    update pgboss.job task set start_after = now() from waiting
    where task.name = ${queue} and task.id = waiting.id returning task.id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Returns true if a task of any queue is running, or will be handed out as soon as a slot is free. */
export async function isTurnNear(trx: Transaction<Tables>, id: string): Promise<boolean> {
  const { rows } = await sql`select from pgboss.job where id = ${id}
    and (state = 'active' or (state < 'active' and not blocked and start_after <= now()))`.execute(trx);
  return rows.length > 0;
}
