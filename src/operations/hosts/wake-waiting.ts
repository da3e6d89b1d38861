/** Every worker runs these checks, so nothing depends on one worker. */
import { type Selectable, sql, type Transaction } from "kysely";
import type { HostName } from "#contract/sources/resting-hosts.ts";
import type { Tables } from "#database/tables.ts";
import type { QueueName } from "#queue/open-queue.ts";
import { TASK_QUEUES, TASK_TABLES } from "../attempts/task-rows.ts";
import type { Context } from "../context.ts";
import { failExpiredWaits } from "./fail-expired-waits.ts";
import { isDue, isOver } from "./host-state.ts";
import { toState } from "./record-host-failure.ts";
import { releaseWaiting } from "./release-waiting.ts";

type HostRow = Selectable<Tables["hosts"]>;

/**
 * Wakes a task per host whose rest is over, unless one is probing; releases tasks whose host no longer rests; fails
 * those that have waited 24 hours. Returns false if no host rests and no task waits.
 */
export async function wakeWaiting(
  context: Pick<Context, "db" | "queue">,
  readNow: () => Promise<number>,
): Promise<boolean> {
  if (!(await isAnyHostResting(context))) return false;
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
async function isAnyHostResting({ db }: Pick<Context, "db">): Promise<boolean> {
  const { rows } = await sql<{ isAway: boolean }>`select exists (select from hosts)
    or exists (select from job_videos where waiting_since is not null and status = 'Queued')
    or exists (select from caption_tasks where waiting_since is not null and status = 'Queued')
    or exists (select from deliveries where waiting_since is not null and status = 'Queued') as "isAway"`.execute(db);
  return rows[0]!.isAway;
}

function isForgettable(host: HostRow, nowMs: number): boolean {
  return host.rests_until === null && isOver(toState(host), nowMs);
}

/** Starts a probe, unless one is running. Deletes a host that no task waits for. */
async function tryAgain(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  name: HostName,
  nowMs: number,
): Promise<void> {
  // Another worker that has locked the row does the same.
  const host = await trx
    .selectFrom("hosts")
    .selectAll()
    .where("host", "=", name)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!host) return;
  if (isDue(toState(host), nowMs)) {
    if (await isBeingTried(context, trx, host)) return;
    if (await startProbe(context, trx, name, null)) return;
  } else if (!isForgettable(host, nowMs)) return;
  await trx.deleteFrom("hosts").where("host", "=", name).execute();
}

/** False for a killed, canceled or held task: another must probe. */
async function isBeingTried(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  host: HostRow,
): Promise<boolean> {
  return host.probe_task !== null && (await context.queue.isClaimable(trx, host.probe_task));
}

/**
 * Picks a random waiting task, one of `ids` or any: a given task could fail for its own reasons. Returns false if none
 * waits.
 */
export async function startProbe(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  host: HostName,
  ids: readonly string[] | null,
): Promise<boolean> {
  for (const queue of TASK_QUEUES) {
    const id = await pickWaiting(trx, queue, host, ids);
    if (id === null) continue;
    const woken = await context.queue[queue].wake(trx, [id]);
    if (woken.length > 0) await trx.updateTable("hosts").set({ probe_task: id }).where("host", "=", host).execute();
    return true;
  }
  return false;
}

async function pickWaiting(
  trx: Transaction<Tables>,
  queue: QueueName,
  host: HostName,
  ids: readonly string[] | null,
): Promise<string | null> {
  const isHeld =
    queue === "videos"
      ? sql<boolean>`(select held_at is not null from jobs where jobs.id = job_id)`
      : sql<boolean>`false`;
  const picked = await trx
    .selectFrom(TASK_TABLES[queue])
    .select("id")
    .where("status", "=", "Queued")
    .where("waiting_since", "is not", null)
    .where("waits_for", "=", host)
    .where(isHeld, "=", false)
    .$if(ids !== null, (query) => query.where("id", "=", sql<string>`any(${ids}::uuid[])`))
    // A rendered video reaches storage soonest.
    .orderBy(queue === "videos" && host === "storage" ? sql`duration_seconds is null, random()` : sql`random()`)
    .limit(1)
    .executeTakeFirst();
  return picked?.id ?? null;
}

/** Releases tasks that started to wait just as their host answered another. */
async function releaseForgotten(context: Pick<Context, "db" | "queue">): Promise<void> {
  const { rows } = await sql<{ host: HostName }>`
    select distinct waits_for as host from (
      select waits_for from job_videos where waiting_since is not null and status = 'Queued'
      union all select waits_for from caption_tasks where waiting_since is not null and status = 'Queued'
      union all select waits_for from deliveries where waiting_since is not null and status = 'Queued'
    ) as waiting
    where waits_for is not null and waits_for not in (select host from hosts where rests_until is not null)`.execute(
    context.db,
  );
  for (const { host } of rows) {
    await context.db.transaction().execute((trx) => releaseWaiting(context, trx, host));
  }
}
