/**
 * All SQL on pg-boss's tables, for one version of its schema. Functions for the caller's transaction take a
 * Transaction, others the queue's own connection.
 */
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { fromKysely, type PgBoss } from "pg-boss";
import { MAX_RETRIES } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import { QUEUE_NAMES } from "./task-kinds.ts";

/** Review every statement in this file before changing it. */
export const SCHEMA_VERSION = 43;

export const TASK_TABLE = { schema: "pgboss", name: "job" } as const;
/** For backups. Ended tasks do not matter; pg-boss fills its internal queues itself. */
export const OPEN_TASKS = sql`state < 'completed' and name not like ${"\\_\\_%"}`;

/** The payload is a queue with claimable tasks. */
export const TASK_CHANNEL = "clipmill_tasks";

export type TaskDb = ReturnType<PgBoss["getDb"]>;

/** `retryCount` counts the claims before it. */
export type ClaimRef = { queue: string; id: string; retryCount: number };

/** Claimable tasks go to the next free slot. */
export type ClaimState = "claimed" | "claimable";

export type TaskIds = { queue: string; ids: readonly string[] };

/** Number of claims by task id. */
export type ForgottenClaims = ReadonlyMap<string, number>;

export type QueueMeasure = {
  name: string;
  /** Could start now. */
  waiting: number;
  held: number;
  /** Waiting for a retry. */
  postponed: number;
  active: number;
  oldestWaitingSeconds: number;
};

export async function readSchemaVersion(db: Kysely<Tables>): Promise<number | null> {
  const { rows } = await sql<{ table: string | null }>`select to_regclass('pgboss.version') as table`.execute(db);
  if (rows[0]!.table === null) return null;
  const found = await sql<{ version: number }>`select version from pgboss.version`.execute(db);
  return found.rows[0]?.version ?? null;
}

/**
 * Indexes open tasks: pg-boss's partial indexes omit claimed and held ones. pg-boss creates its table after our
 * migrations. Finding an existing index takes no lock.
 */
export async function indexOpenTasks(db: TaskDb): Promise<void> {
  const { rows } = await db.executeSql("select to_regclass('pgboss.clipmill_open_tasks') as index");
  if ((rows as { index: string | null }[])[0]!.index !== null) return;
  await db.executeSql(
    "create index if not exists clipmill_open_tasks on pgboss.job (name, state) where state <= 'active'",
  );
}

/**
 * Postpones pg-boss's counts forever: each round, one per second to detect dead workers, would count even ended tasks,
 * which takes 0.4 s for 200,000.
 */
export async function stopCounting(db: TaskDb): Promise<void> {
  await db.executeSql(
    "update pgboss.version set monitor_backoff_on = 'infinity' where monitor_backoff_on is distinct from 'infinity'",
  );
}

/** By pg-boss's own mark. */
export async function isSupervisionDue(db: TaskDb, seconds: number): Promise<boolean> {
  const { rows } = await db.executeSql(
    `select exists (
       select from pgboss.queue where name = any($1)
         and coalesce(monitor_claim_on, '-infinity') <= pgboss.job_now() - $2 * interval '1 second'
     ) as "isDue"`,
    [QUEUE_NAMES, seconds],
  );
  return (rows as { isDue: boolean }[])[0]!.isDue;
}

/** Sets the lease of open tasks: those of a formerly embedded database or an earlier release have another. */
export async function setHeartbeat(db: TaskDb, heartbeatSeconds: number | null): Promise<void> {
  await db.executeSql(
    `update pgboss.job set heartbeat_seconds = $1::int
     where name = any($2) and state <= 'active' and heartbeat_seconds is distinct from $1::int`,
    [heartbeatSeconds, QUEUE_NAMES],
  );
}

export async function shiftStartTimes(db: TaskDb, ms: number): Promise<void> {
  await db.executeSql(
    `with shifted as (
       update pgboss.job set start_after = start_after + $1 * interval '1 ms'
       where name = any($2) and state < 'active' and start_after > now() returning name
     )
     select pg_notify($3, name) from shifted group by name`,
    [ms, QUEUE_NAMES, TASK_CHANNEL],
  );
}

/** Skips ended tasks, which pg-boss keeps for days. */
export async function measureTasks(db: TaskDb): Promise<QueueMeasure[]> {
  const { rows } = await db.executeSql(
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
    [QUEUE_NAMES],
  );
  return rows as QueueMeasure[];
}

/** Held tasks do not count. `dueInMs` is the next waiting task's. */
export async function readOpenQueues(
  db: TaskDb,
  queues: readonly string[],
): Promise<{ queue: string; isActive: boolean; isDue: boolean; dueInMs: number | null }[]> {
  const { rows } = await db.executeSql(
    `select name as queue, bool_or(state = 'active') as "isActive",
       coalesce(bool_or(state < 'active' and start_after <= now()), false) as "isDue",
       (1000 * extract(epoch from min(start_after) filter (where state < 'active') - now()))::float8 as "dueInMs"
     from pgboss.job where name = any($1) and state <= 'active' and (state = 'active' or not blocked)
     group by name`,
    [queues],
  );
  return rows as Awaited<ReturnType<typeof readOpenQueues>>;
}

/** Returns claims that still have their task. */
export async function renewLeases(db: TaskDb, claims: readonly ClaimRef[]): Promise<ClaimRef[]> {
  const { rows } = await db.executeSql(
    `update pgboss.job task set heartbeat_on = now()
     from unnest($1::text[], $2::uuid[], $3::int[]) as held (queue, id, retry_count)
     where task.name = held.queue and task.id = held.id and task.state = 'active' and task.retry_count = held.retry_count
     returning task.name as queue, task.id, task.retry_count as "retryCount"`,
    [claims.map((one) => one.queue), claims.map((one) => one.id), claims.map((one) => one.retryCount)],
  );
  return rows as ClaimRef[];
}

/**
 * Undoes a claim: the next one is the same attempt under a new number, so pg-boss cannot affect it by settling the
 * undone one. The task is handed out after `waitSeconds`, or when released. pg-boss's `restore` would also revive ended
 * tasks.
 */
export async function undoClaim(
  db: TaskDb | Transaction<Tables>,
  { queue, id, retryCount }: ClaimRef,
  { isHeld = false, waitSeconds = 0 } = {},
): Promise<void> {
  await ("executeSql" in db ? db : fromKysely(db)).executeSql(
    `update pgboss.job set state = 'created', heartbeat_on = null, blocked = $4, retry_limit = retry_limit + 1,
       start_after = case when $5::float8 > 0 then now() + $5 * interval '1 s' else start_after end,
       -- pg-boss would count each of these claims as a failed attempt; failAttempt sets the wait after a failed one.
       retry_backoff = false,
       data = jsonb_set(data, '{handedBack}', to_jsonb(coalesce((data->>'handedBack')::int, 0) + 1))
     where name = $1 and id = $2 and state = 'active' and retry_count = $3`,
    [queue, id, retryCount, isHeld, waitSeconds],
  );
}

/**
 * Takes claims away from workers that may still be writing: the next attempt has another number, so that it shares no
 * file with them. It does not count towards the limit. Returns the ids.
 */
export async function takeClaims(trx: Transaction<Tables>, claims: readonly ClaimRef[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update pgboss.job task set state = 'created', heartbeat_on = null, retry_limit = retry_limit + 1,
      retry_backoff = false,
      data = task.data || jsonb_build_object(
        'handedBack', coalesce((task.data->>'handedBack')::int, 0) + 1,
        'attemptsBefore', coalesce((task.data->>'attemptsBefore')::int, 0) + 1)
    from unnest(${claims.map(({ queue }) => queue)}::text[], ${claims.map(({ id }) => id)}::uuid[],
      ${claims.map(({ retryCount }) => retryCount)}::int[]) as held (queue, id, retry_count)
    where task.name = held.queue and task.id = held.id and task.state = 'active' and task.retry_count = held.retry_count
    returning task.id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Returns the task's data while it has this claim. */
export async function readClaimed(db: Kysely<Tables>, { queue, id, retryCount }: ClaimRef): Promise<unknown> {
  const { rows } = await sql<{ data: unknown }>`select data from pgboss.job
    where name = ${queue} and id = ${id} and state = 'active' and retry_count = ${retryCount}`.execute(db);
  return rows[0]?.data ?? null;
}

/** Claims whose lease has ended. `handedBack` is the task's. */
export async function listExpired(db: TaskDb, queue: string): Promise<(ClaimRef & { handedBack: number })[]> {
  const { rows } = await db.executeSql(
    `select name as queue, id, retry_count as "retryCount", coalesce((data->>'handedBack')::int, 0) as "handedBack"
     from pgboss.job where name = $1 and state = 'active' and heartbeat_on < now() - heartbeat_seconds * interval '1 s'`,
    [queue],
  );
  return rows as Awaited<ReturnType<typeof listExpired>>;
}

/** Claims of workers without the database that were killed, or whose claim another worker has taken over. */
export async function deleteEndedLoans(db: Kysely<Tables>): Promise<void> {
  await sql`delete from worker_claims held where not exists (
    select from pgboss.job where name = 'videos' and id = held.video_id and state = 'active'
      and retry_count = held.retry_count)`.execute(db);
}

/** Takes effect on commit. */
export async function notifyWorkers(trx: Transaction<Tables>, queue: string): Promise<void> {
  await sql`select pg_notify(${TASK_CHANNEL}, ${queue})`.execute(trx);
}

export async function renewRetries(trx: Transaction<Tables>, queue: string, id: string): Promise<void> {
  await sql`update pgboss.job set retry_limit = retry_count + ${MAX_RETRIES}, retry_backoff = false
    where name = ${queue} and id = ${id} and state = 'active'`.execute(trx);
}

export async function listClaimed(db: TaskDb): Promise<{ name: string; id: string }[]> {
  const { rows } = await db.executeSql("select name, id from pgboss.job where state = 'active'");
  return rows as { name: string; id: string }[];
}

/** Removes the delay of first retries; later ones keep it, because the task may be what crashes the program. */
export async function startFirstRetriesNow(db: TaskDb, ids: readonly string[]): Promise<void> {
  await db.executeSql(
    "update pgboss.job set start_after = pgboss.job_now() where id = any($1) and state = 'retry' and retry_count = 0",
    [ids],
  );
}

/** Makes claimed tasks of a backup wait again: no worker here has them, and the attempt does not count. */
export async function undoRestoredClaims(trx: Transaction<Tables>): Promise<void> {
  await sql`update pgboss.job set state = 'created', started_on = null, heartbeat_on = null
    where state = 'active'`.execute(trx);
}

export async function readClaimState(trx: Transaction<Tables>, id: string): Promise<ClaimState | null> {
  const { rows } = await sql<{ state: ClaimState }>`
    select case when state = 'active' then 'claimed' else 'claimable' end as state from pgboss.job where id = ${id}
    and (state = 'active' or (state < 'active' and not blocked and start_after <= now()))`.execute(trx);
  return rows[0]?.state ?? null;
}

/** The labels, as JSON, that a task requires of its worker. `id` is its column in the caller's query. */
export function labelsOfTask(id: RawBuilder<string>): RawBuilder<unknown> {
  return sql`coalesce((select data->'labels' from pgboss.job where name = 'videos' and job.id = ${id}), '[]')`;
}

/** Returns null and deletes none if any waits or runs. */
export async function forget(trx: Transaction<Tables>, { queue, ids }: TaskIds): Promise<ForgottenClaims | null> {
  const running = sql`state in ('created', 'retry', 'active')`;
  const where = sql`name = ${queue} and id = any(${ids}::uuid[])`;
  const { rows } = await sql`select from pgboss.job where ${where} and ${running} for update`.execute(trx);
  if (rows.length > 0) return null;
  const forgotten = await sql<{ id: string; claims: number }>`
    delete from pgboss.job where ${where} returning id, retry_count + 1 as claims`.execute(trx);
  return new Map(forgotten.rows.map((row) => [row.id, row.claims]));
}

/**
 * Continues the claim numbers of forgotten tasks in new ones: a slow worker's reports on a forgotten task must not
 * affect the new one.
 */
export async function countOn(trx: Transaction<Tables>, queue: string, forgotten: ForgottenClaims): Promise<void> {
  const ids = [...forgotten.keys()];
  const claims = [...forgotten.values()];
  await sql`update pgboss.job task set retry_count = before.claims, retry_limit = task.retry_limit + before.claims,
      -- pg-boss's backoff would start with a long wait; failAttempt sets the wait after a failed attempt.
      retry_backoff = false, data = jsonb_set(task.data, '{handedBack}', to_jsonb(before.claims))
    from unnest(${ids}::uuid[], ${claims}::int[]) as before (id, claims)
    where task.name = ${queue} and task.id = before.id`.execute(trx);
}

/**
 * Makes waiting tasks available now, ordered by start tag; held ones stay held. Returns their ids. Skips locked tasks:
 * two changes of many tasks could deadlock.
 */
export async function wake(trx: Transaction<Tables>, { queue, ids }: TaskIds): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with waiting as (
      select id from pgboss.job where name = ${queue} and id = any(${ids}::uuid[]) and state < 'active'
      for update skip locked
    )
    update pgboss.job task set start_after = now() from waiting
    where task.name = ${queue} and task.id = waiting.id returning task.id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Includes held tasks. Returns their ids. */
export async function cancelWaiting(trx: Transaction<Tables>, { queue, ids }: TaskIds): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update pgboss.job set state = 'cancelled', completed_on = now()
    where name = ${queue} and id = any(${ids}::uuid[]) and state < 'active' returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Same order as in pg-boss. */
const IS_CLAIMABLE = `task.name = $1 and task.state < 'active' and not task.blocked
  and task.start_after <= pgboss.job_now() and coalesce(task.data->'labels', '[]') <@ $2::jsonb`;
/** For workers that may only see tasks that require a label. */
const IS_LABELED = "jsonb_array_length(coalesce(task.data->'labels', '[]')) > 0";
const IN_ORDER = "order by task.priority desc, task.created_on";
/** How many tasks a worker considers. */
const NEAR = 8;

/** `isLabeled`: only tasks that require a label. `leaseSeconds` is null for a claim that cannot be lost. */
type ClaimOptions = {
  labels: readonly string[];
  links: readonly string[];
  leaseSeconds: number | null;
  isLabeled?: boolean;
};

/**
 * Claims the next task, like pg-boss's fetch, which does not support labels. Of the first eight it takes one whose
 * video has one of the links, if any; `isPreferred` is then true.
 */
export async function claimNext(
  db: TaskDb,
  queue: string,
  { labels, links, leaseSeconds, isLabeled = false }: ClaimOptions,
): Promise<{ id: string; data: unknown; retryCount: number; waitedMs: number; isPreferred: boolean } | null> {
  const isClaimable = isLabeled ? `${IS_CLAIMABLE} and ${IS_LABELED}` : IS_CLAIMABLE;
  const { rows } = await db.executeSql(
    `with near as materialized (
       select task.id from pgboss.job task where cardinality($3::text[]) > 0 and ${isClaimable} ${IN_ORDER} limit ${NEAR}
     ), preferred as materialized (
       select task.id from pgboss.job task join near on near.id = task.id
       where ${isClaimable} and exists (select from job_videos where id = task.id and link = any($3::text[]))
       ${IN_ORDER} limit 1 for update of task skip locked
     ), next as materialized (
       select task.id from pgboss.job task where not exists (select from preferred) and ${isClaimable}
       ${IN_ORDER} limit 1 for update of task skip locked
     )
     update pgboss.job task set state = 'active', started_on = pgboss.job_now(), heartbeat_on = pgboss.job_now(),
       heartbeat_seconds = $4::int, retry_count = case when started_on is not null then retry_count + 1 else retry_count end
     from (select id, true as preferred from preferred union all select id, false from next) chosen
     where task.name = $1 and task.id = chosen.id
     returning task.id, task.data, task.retry_count as "retryCount", chosen.preferred as "isPreferred",
       (1000 * extract(epoch from task.started_on - greatest(task.created_on, task.start_after)))::float8 as "waitedMs"`,
    [queue, JSON.stringify(labels), links, leaseSeconds],
  );
  return (rows as NonNullable<Awaited<ReturnType<typeof claimNext>>>[])[0] ?? null;
}

/** Does not claim them. */
export async function peek(
  db: TaskDb,
  queue: string,
  { labels, isLabeled = false }: Pick<ClaimOptions, "labels" | "isLabeled">,
  most: number,
): Promise<unknown[]> {
  const { rows } = await db.executeSql(
    `select task.data from pgboss.job task where ${IS_CLAIMABLE} ${isLabeled ? `and ${IS_LABELED}` : ""}
     ${IN_ORDER} limit $3`,
    [queue, JSON.stringify(labels), most],
  );
  return (rows as { data: unknown }[]).map(({ data }) => data);
}

/** See TaskQueue.move. */
export async function moveWaiting(
  trx: Transaction<Tables>,
  { queue, ids }: TaskIds,
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

/** pg-boss does not hand out `blocked` tasks, and keeps the mark and the start times of retries. */
export async function holdWaiting(trx: Transaction<Tables>, { queue, ids }: TaskIds): Promise<void> {
  await sql`update pgboss.job set blocked = true
    where name = ${queue} and id = any(${ids}::uuid[]) and state < 'active' and not blocked`.execute(trx);
}

/**
 * Releases held tasks. Those whose turn has passed get the virtual time, so they do not all run before other jobs;
 * tasks moved to the front stay there. Returns the lowest start tag, or null if none waits.
 */
export async function releaseWaiting(
  trx: Transaction<Tables>,
  { queue, ids }: TaskIds,
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
