import type { PgBoss } from "pg-boss";
import { CAPTIONS, VIDEOS } from "./create-queues.ts";

/** What waits and runs in one queue. */
export type QueueMeasure = {
  name: string;
  /** Tasks that could start now. */
  waiting: number;
  /** Tasks that wait to be released. */
  held: number;
  /** Tasks that are tried again later. */
  postponed: number;
  active: number;
  /** 0 when none waits. */
  oldestWaitingSeconds: number;
};

/** Counts what waits and runs in each queue. Reads no ended task, of which pg-boss keeps those of some days. */
export async function measureTasks(boss: Pick<PgBoss, "getDb">): Promise<QueueMeasure[]> {
  const { rows } = await boss.getDb().executeSql(
    `select queue as name,
       (count(*) filter (where state < 'active' and not blocked and start_after <= now()))::int as waiting,
       (count(*) filter (where state < 'active' and blocked))::int as held,
       (count(*) filter (where state < 'active' and not blocked and start_after > now()))::int as postponed,
       (count(*) filter (where state = 'active'))::int as active,
       coalesce(extract(epoch from now() - min(greatest(created_on, start_after))
         filter (where state < 'active' and not blocked and start_after <= now())), 0)::float8 as "oldestWaitingSeconds"
     from unnest($1::text[]) as queue
       -- As the index of open tasks has it.
       left join pgboss.job on name = queue and state <= 'active'
     group by queue order by queue`,
    [[VIDEOS, CAPTIONS]],
  );
  return rows as QueueMeasure[];
}
