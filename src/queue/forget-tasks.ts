/** Ended tasks make room for new ones of the same id. */
import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";

/** How often each forgotten task was claimed, by its id. */
export type Forgotten = ReadonlyMap<string, number>;

/** Whether a task waits or runs. One that is moved from the one to the other just now does. */
export async function isOpen(trx: Transaction<Tables>, queue: string, id: string): Promise<boolean> {
  const { rows } = await sql`select from pgboss.job where name = ${queue} and id = ${id} and state <= 'active'`.execute(
    trx,
  );
  return rows.length > 0;
}

/** Forgets ended tasks. Returns null, forgetting none, when one of them still waits or runs. */
export async function forget(trx: Transaction<Tables>, queue: string, ids: string[]): Promise<Forgotten | null> {
  const running = sql`state in ('created', 'retry', 'active')`;
  const where = sql`name = ${queue} and id = any(${ids}::uuid[])`;
  const { rows } = await sql`select from pgboss.job where ${where} and ${running} for update`.execute(trx);
  if (rows.length > 0) return null;
  const forgotten = await sql<{ id: string; claims: number }>`
    delete from pgboss.job where ${where} returning id, retry_count + 1 as claims`.execute(trx);
  return new Map(forgotten.rows.map((row) => [row.id, row.claims]));
}

/**
 * Lets the claims of new tasks count on from those of their forgotten ones: a worker that was held up for long may still
 * have one of those, and what it says of it must not be taken for word of a new one.
 */
export async function countOn(trx: Transaction<Tables>, queue: string, forgotten: Forgotten): Promise<void> {
  const ids = [...forgotten.keys()];
  const claims = [...forgotten.values()];
  await sql`update pgboss.job task set retry_count = before.claims, retry_limit = task.retry_limit + before.claims,
      -- Theirs would begin with a long wait; that of a failed attempt is set by itself.
      retry_backoff = false, data = jsonb_set(task.data, '{handedBack}', to_jsonb(before.claims))
    from unnest(${ids}::uuid[], ${claims}::int[]) as before (id, claims)
    where task.name = ${queue} and task.id = before.id`.execute(trx);
}
