import { type Selectable, sql } from "kysely";
import type { HostName } from "#contract/sources/cooldowns.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import type { Cooldown } from "./find-cooldown.ts";
import { afterFailure, type HostState } from "./host-state.ts";
import { releaseWaiting } from "./release-waiting.ts";

type Failure = { host: HostName; taskId: string; reason: string; retryAfterSeconds: number | null };

/** Several in a row make the host cool down. Returns the cooldown, or null. */
export function recordHostFailure(
  context: Pick<Context, "db">,
  { host, taskId, reason, retryAfterSeconds }: Failure,
  nowMs: number,
): Promise<Cooldown | null> {
  return context.db.transaction().execute(async (trx) => {
    // Of two concurrent first failures, one inserts the row and the other waits for it.
    const none = { host, failures: 0, failed_at: toIso(0), reason, cooldown_seconds: 0 };
    await trx
      .insertInto("hosts")
      .values(none)
      .onConflict((row) => row.column("host").doNothing())
      .execute();
    const row = await trx
      .selectFrom("hosts")
      .selectAll()
      .where("host", "=", host)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const isProbe = row.probe_task === taskId;
    const before = row.failures === 0 ? null : toState(row);
    const after = afterFailure(before, { nowMs, isProbe, retryAfterSeconds, random: Math.random() });
    await trx
      .updateTable("hosts")
      .set({ ...toRow(after), reason, ...(isProbe && { probe_task: null }) })
      .where("host", "=", host)
      .execute();
    return after.coolsUntilMs === null ? null : { host, reason };
  });
}

/** Ends an inconclusive probe, so that another task can probe. */
export async function releaseProbe(context: Pick<Context, "db">, host: HostName, taskId: string): Promise<void> {
  await context.db
    .updateTable("hosts")
    .set({ probe_task: sql<null>`null` })
    .where("host", "=", host)
    .where("probe_task", "=", taskId)
    .execute();
}

export function toState(row: Selectable<Tables["hosts"]>): HostState {
  return {
    failures: row.failures,
    failedAtMs: Date.parse(row.failed_at),
    coolingSinceMs: row.cooling_since === null ? null : Date.parse(row.cooling_since),
    coolsUntilMs: row.cools_until === null ? null : Date.parse(row.cools_until),
    cooldownSeconds: row.cooldown_seconds,
  };
}

function toRow(state: HostState) {
  return {
    failures: state.failures,
    failed_at: toIso(state.failedAtMs),
    cooling_since: state.coolingSinceMs === null ? null : toIso(state.coolingSinceMs),
    cools_until: state.coolsUntilMs === null ? null : toIso(state.coolsUntilMs),
    cooldown_seconds: state.cooldownSeconds,
  };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Only the probe's response ends a rest; the host's waiting tasks then return to the queue. */
export async function recordHostResponse(
  context: Pick<Context, "db" | "queue">,
  host: HostName,
  taskId: string,
): Promise<void> {
  const ended = await context.db
    .deleteFrom("hosts")
    .where("host", "=", host)
    .where((eb) => eb.or([eb("cools_until", "is", null), eb("probe_task", "=", taskId)]))
    .returning("cools_until")
    .executeTakeFirst();
  if (!ended || ended.cools_until === null) return;
  // After a crash here, the next check of waiting tasks releases them.
  await context.db.transaction().execute((trx) => releaseWaiting(context, trx, host));
}
