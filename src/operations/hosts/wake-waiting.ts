/** Every worker and server runs these checks, so nothing depends on one of them. */
import { type Selectable, sql, type Transaction } from "kysely";
import type { HostName } from "#contract/sources/cooldowns.ts";
import type { Tables } from "#database/tables.ts";
import type { QueueName } from "#queue/open-queue.ts";
import { labelsOfTask } from "#queue/task-table.ts";
import type { Context } from "../context.ts";
import { getsTasksWith, isClaiming } from "../fleet/list-workers.ts";
import { failExpiredWaits } from "./fail-expired-waits.ts";
import { isDue, isOver } from "./host-state.ts";
import { toState } from "./record-host-failure.ts";
import { releaseWaiting } from "./release-waiting.ts";

type HostRow = Selectable<Tables["hosts"]>;

/**
 * Wakes a task per host whose cooldown is over, unless one is probing; releases tasks whose host no longer cools down; fails
 * those that have waited 24 hours. Returns false if no host cools down and no task waits.
 */
export async function wakeWaiting(
  context: Pick<Context, "db" | "queue">,
  readNow: () => Promise<number>,
): Promise<boolean> {
  if (!(await isAnyHostCoolingDown(context))) return false;
  const nowMs = await readNow();
  const hosts = await context.db.selectFrom("hosts").selectAll().execute();
  for (const host of hosts) {
    if (isDue(toState(host), nowMs) || isForgettable(host, nowMs)) {
      await context.db.transaction().execute((trx) => tryAgain(context, trx, host.host, nowMs));
    }
  }
  await releaseForgotten(context);
  await failExpiredWaits(context, nowMs);
  return true;
}

/** One statement, cheap while all hosts are healthy. */
async function isAnyHostCoolingDown({ db }: Pick<Context, "db">): Promise<boolean> {
  const { rows } = await sql<{ isAway: boolean }>`select exists (select from hosts)
    or exists (select from job_videos where waiting_since is not null and status = 'Queued')
    or exists (select from caption_tasks where waiting_since is not null and status = 'Queued')
    or exists (select from deliveries where waiting_since is not null and status = 'Queued')
    or exists (select from transcripts where waiting_since is not null and status = 'Queued') as "isAway"`.execute(db);
  return rows[0]!.isAway;
}

function isForgettable(host: HostRow, nowMs: number): boolean {
  return host.cools_until === null && isOver(toState(host), nowMs);
}

/** Starts a probe, unless one is running. Deletes a host that no task waits for. */
async function tryAgain(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  name: HostName,
  nowMs: number,
): Promise<void> {
  // Another program that has locked the row does the same.
  const host = await trx
    .selectFrom("hosts")
    .selectAll()
    .where("host", "=", name)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!host) return;
  if (isDue(toState(host), nowMs)) {
    if (await startProbe(context, trx, host, null)) return;
  } else if (!isForgettable(host, nowMs)) return;
  await trx.deleteFrom("hosts").where("host", "=", name).execute();
}

/**
 * Wakes a waiting task, one of `ids` or any, unless a probe runs or waits for its turn. Returns false if there is none.
 */
export async function startProbe(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  { host, probe_task: last }: HostRow,
  ids: readonly string[] | null,
): Promise<boolean> {
  // Null for a killed, canceled or held task: another must probe.
  const state = last === null ? null : await context.queue.readClaimState(trx, last);
  if (state === "claimed") return true;
  const probe = state === null ? null : last;
  if (probe !== null && (await canBeTaken(trx, probe))) return true;
  const picked = await pickWaiting(trx, host, { ids, probe });
  if (!picked || picked.id === probe) return probe !== null;
  const woken = await context.queue[picked.queue].wake(trx, [picked.id]);
  if (woken.length > 0) {
    await trx.updateTable("hosts").set({ probe_task: picked.id }).where("host", "=", host).execute();
  }
  return true;
}

/** True if a live worker can take it. Cheap, as it is asked every second. */
async function canBeTaken(trx: Transaction<Tables>, probe: string): Promise<boolean> {
  const { rows } = await sql`select from workers
    where ${isClaiming} and ${getsTasksWith(labelsOfTask(sql`${probe}::uuid`))}`.execute(trx);
  return rows.length > 0;
}

/**
 * Prefers tasks that a live worker can take (for days, no worker may have a task's labels), then tasks without labels,
 * for which an autoscaler starts a worker. Keeps `probe` if it is as good; otherwise picks at random, because a
 * given task could fail for its own reasons.
 */
async function pickWaiting(
  trx: Transaction<Tables>,
  host: HostName,
  { ids, probe }: { ids: readonly string[] | null; probe: string | null },
): Promise<{ queue: QueueName; id: string } | null> {
  const isWaiting = sql`status = 'Queued' and waiting_since is not null and waits_for = ${host}`;
  // The videos of a job have the same labels, and thousands may wait.
  const { rows } = await sql<{ queue: QueueName; id: string }>`
    with waiting as (
      select 'videos' as queue, id, job_id, duration_seconds is not null as is_rendered from job_videos
      where ${isWaiting} and (select held_at is null from jobs where jobs.id = job_id)
      union all select 'captions', id, null, false from caption_tasks where ${isWaiting}
      union all select 'deliveries', id, null, false from deliveries where ${isWaiting}
      union all select 'transcripts', id, null, false from transcripts where ${isWaiting}
    ), labeled as (
      select job_id, ${labelsOfTask(sql`one.id`)} as labels
      from (select distinct on (job_id) job_id, id from waiting where queue = 'videos') as one
    )
    select queue, id from waiting left join labeled using (job_id)
    where ${ids}::uuid[] is null or id = any(${ids}::uuid[]) or id = ${probe}::uuid
    order by exists (
        select from workers where ${isClaiming} and ${getsTasksWith(sql`coalesce(labeled.labels, '[]')`)}
      ) desc, coalesce(labeled.labels, '[]') = '[]' desc, id = ${probe}::uuid desc,
      -- A rendered video reaches storage soonest.
      ${host === "storage"}::boolean and is_rendered desc, random()
    limit 1`.execute(trx);
  return rows[0] ?? null;
}

/** Releases tasks that started to wait just as their host responded to another. */
async function releaseForgotten(context: Pick<Context, "db" | "queue">): Promise<void> {
  const { rows } = await sql<{ host: HostName }>`
    select distinct waits_for as host from (
      select waits_for from job_videos where waiting_since is not null and status = 'Queued'
      union all select waits_for from caption_tasks where waiting_since is not null and status = 'Queued'
      union all select waits_for from deliveries where waiting_since is not null and status = 'Queued'
      union all select waits_for from transcripts where waiting_since is not null and status = 'Queued'
    ) as waiting
    where waits_for is not null and waits_for not in (select host from hosts where cools_until is not null)`.execute(
    context.db,
  );
  for (const { host } of rows) {
    await context.db.transaction().execute((trx) => releaseWaiting(context, trx, host));
  }
}

/** In Unix milliseconds, by the clock that all programs share. */
export async function readDatabaseTime({ db }: Pick<Context, "db">): Promise<number> {
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(
    db,
  );
  return rows[0]!.ms;
}
