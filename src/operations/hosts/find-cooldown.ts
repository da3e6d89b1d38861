import { sql, type Transaction } from "kysely";
import type { Failure } from "#contract/jobs/failures.ts";
import type { HostName, HostCooldown } from "#contract/sources/cooldowns.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";

export type Cooldown = { host: HostName; reason: string };

export function cooldownFailure({ host, reason }: Cooldown): Failure {
  return { code: "unavailable", step: host === "storage" ? "store" : "fetch", message: reason, tail: null };
}

/** Null if no host cools down, or if the task is the host's probe. */
export async function findCooldown(
  db: Context["db"] | Transaction<Tables>,
  hosts: readonly HostName[],
  taskId: string | null,
): Promise<Cooldown | null> {
  const cooldown = await db
    .selectFrom("hosts")
    .select(["host", "reason"])
    .where("host", "in", hosts)
    .where("cools_until", "is not", null)
    .where((eb) =>
      taskId === null ? eb.lit(true) : eb.or([eb("probe_task", "is", null), eb("probe_task", "!=", taskId)]),
    )
    .executeTakeFirst();
  return cooldown ?? null;
}

/** `cooldown` is as in findCooldown. */
export async function readHostRecord(
  { db }: Pick<Context, "db">,
  host: HostName,
  taskId: string,
): Promise<{ hasFailed: boolean; cooldown: Cooldown | null }> {
  const record = await db
    .selectFrom("hosts")
    .select([
      "reason",
      sql<boolean>`cools_until is not null and probe_task is distinct from ${taskId}`.as("isCoolingDown"),
    ])
    .where("host", "=", host)
    .executeTakeFirst();
  return { hasFailed: record !== undefined, cooldown: record?.isCoolingDown ? { host, reason: record.reason } : null };
}

/** Longest cooldown first. `waitingVideos` excludes Caption Lab's. */
export async function listCooldowns({ db }: Pick<Context, "db">): Promise<HostCooldown[]> {
  const { rows } = await sql<HostCooldown>`
    select host, reason, cooling_since as since, cools_until as "nextTryAt",
      (select count(*) from job_videos
        where waits_for = host and waiting_since is not null and status = 'Queued')::int as "waitingVideos"
    from hosts where cools_until is not null order by cooling_since, host`.execute(db);
  return rows;
}

/** A wait between tries that count as one attempt. */
export type Wait = { host: HostName } | { seconds: number; isForTranscript?: true };

/** Fallback: usually tasks are woken when their host is probed or responds. */
const HOST_WAIT_SECONDS = 25 * 60 * 60;

/** Applies unless the task is woken earlier. */
export function secondsOf(wait: Wait): number {
  return "seconds" in wait ? wait.seconds : HOST_WAIT_SECONDS;
}

export const NOT_WAITING = { waits_for: null, waiting_since: null, next_try_at: null };

/** A repeated wait keeps its start: the limit of 24 hours applies to all together. */
export function waitColumns(wait: Wait) {
  return {
    waits_for: "host" in wait ? wait.host : null,
    waiting_since: sql<string>`coalesce(waiting_since, now())`,
    next_try_at: "seconds" in wait ? sql<string>`now() + ${wait.seconds}::float8 * interval '1 s'` : null,
  };
}
