import { type Selectable, sql } from "kysely";
import type { HostName } from "#contract/sources/resting-hosts.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import type { Rest } from "./find-rest.ts";
import { afterFailure, type HostState } from "./host-state.ts";
import { releaseWaiting } from "./release-waiting.ts";

type Failure = { host: HostName; taskId: string; reason: string; retryAfterSeconds: number | null };

/** Several in a row make the host rest. Returns the rest, or null. */
export function recordHostFailure(
  context: Pick<Context, "db">,
  { host, taskId, reason, retryAfterSeconds }: Failure,
  nowMs: number,
): Promise<Rest | null> {
  return context.db.transaction().execute(async (trx) => {
    // Of two concurrent first failures, one inserts the row and the other waits for it.
    const none = { host, failures: 0, failed_at: toIso(0), reason, rest_seconds: 0 };
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
    return after.restsUntilMs === null ? null : { host, reason };
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
    restingSinceMs: row.resting_since === null ? null : Date.parse(row.resting_since),
    restsUntilMs: row.rests_until === null ? null : Date.parse(row.rests_until),
    restSeconds: row.rest_seconds,
  };
}

function toRow(state: HostState) {
  return {
    failures: state.failures,
    failed_at: toIso(state.failedAtMs),
    resting_since: state.restingSinceMs === null ? null : toIso(state.restingSinceMs),
    rests_until: state.restsUntilMs === null ? null : toIso(state.restsUntilMs),
    rest_seconds: state.restSeconds,
  };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Only the probe's response ends a rest; the host's waiting tasks then return to the queue. */
export async function recordHostAnswer(
  context: Pick<Context, "db" | "queue">,
  host: HostName,
  taskId: string,
): Promise<void> {
  const ended = await context.db
    .deleteFrom("hosts")
    .where("host", "=", host)
    .where((eb) => eb.or([eb("rests_until", "is", null), eb("probe_task", "=", taskId)]))
    .returning("rests_until")
    .executeTakeFirst();
  if (!ended || ended.rests_until === null) return;
  // After a crash here, the next check of waiting tasks releases them.
  await context.db.transaction().execute((trx) => releaseWaiting(context, trx, host));
}
