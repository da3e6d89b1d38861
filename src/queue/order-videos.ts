/** Changes to the waiting tasks of one job: put in front, held, released, cancelled. Its videos that run are never touched. */
import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";

export type QueuedVideos = { queue: string; ids: string[] };

/** Gives waiting tasks new start tags in the order they have, from `firstTag` on. Returns how many there were. */
export async function moveWaiting(
  trx: Transaction<Tables>,
  { queue, ids }: QueuedVideos,
  firstTag: number,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with waiting as (
      select id, ${firstTag}::int + (row_number() over (order by priority desc, created_on, id) - 1)::int as tag
      from pgboss.job where name = ${queue} and id = any(${ids}::uuid[]) and state < 'active'
    )
    update pgboss.job task set priority = -tag, data = jsonb_set(task.data, '{startTag}', to_jsonb(tag))
    from waiting where task.name = ${queue} and task.id = waiting.id and task.state < 'active'
    returning task.id`.execute(trx);
  return rows.length;
}

/** pg-boss hands out nothing that is `blocked`, and keeps the mark and the times of retries as they are. */
export async function holdWaiting(trx: Transaction<Tables>, { queue, ids }: QueuedVideos): Promise<void> {
  await sql`update pgboss.job set blocked = true
    where name = ${queue} and id = any(${ids}::uuid[]) and state < 'active' and not blocked`.execute(trx);
}

/**
 * Lets held tasks be handed out again. Those whose turn has passed meanwhile start at the queue's present time, as if
 * they came now: all at once they would keep everybody else waiting. Tasks in front of all others stay there. Returns
 * the lowest start tag, or null when none waits.
 */
export async function releaseWaiting(
  trx: Transaction<Tables>,
  { queue, ids }: QueuedVideos,
  virtualTime: number,
): Promise<number | null> {
  const { rows } = await sql<{ lowest: number | null }>`
    with waiting as (
      select id, case when min(-priority) over () between 0 and ${virtualTime}::int
        then ${virtualTime}::int - min(-priority) over () else 0 end as shift
      from pgboss.job where name = ${queue} and id = any(${ids}::uuid[]) and state < 'active'
    ), released as (
      update pgboss.job task
      set blocked = false, priority = priority - shift, data = jsonb_set(task.data, '{startTag}', to_jsonb(shift - priority))
      from waiting where task.name = ${queue} and task.id = waiting.id and task.state < 'active'
      returning -task.priority as tag
    )
    select min(tag)::int as lowest from released`.execute(trx);
  return rows[0]!.lowest;
}

/** Takes waiting tasks back, held ones, too. Returns the ids of those that waited. */
export async function cancelWaiting(trx: Transaction<Tables>, { queue, ids }: QueuedVideos): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update pgboss.job set state = 'cancelled', completed_on = now()
    where name = ${queue} and id = any(${ids}::uuid[]) and state < 'active' returning id`.execute(trx);
  return rows.map(({ id }) => id);
}
