import { sql, type Transaction } from "kysely";
import type { Failure } from "#contract/jobs/failures.ts";
import type { HostName } from "#contract/sources/resting-hosts.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";

export type Rest = { host: HostName; reason: string };

export function restFailure({ host, reason }: Rest): Failure {
  return { code: "unavailable", step: host === "storage" ? "store" : "fetch", message: reason, tail: null };
}

/** Null if no host rests, or if the task is the host's probe. */
export async function findRest(
  db: Context["db"] | Transaction<Tables>,
  hosts: readonly HostName[],
  taskId: string | null,
): Promise<Rest | null> {
  const rest = await db
    .selectFrom("hosts")
    .select(["host", "reason"])
    .where("host", "in", hosts)
    .where("rests_until", "is not", null)
    .where((eb) =>
      taskId === null ? eb.lit(true) : eb.or([eb("probe_task", "is", null), eb("probe_task", "!=", taskId)]),
    )
    .executeTakeFirst();
  return rest ?? null;
}

/** `rest` is as in findRest. */
export async function readHostRecord(
  { db }: Pick<Context, "db">,
  host: HostName,
  taskId: string,
): Promise<{ hasFailed: boolean; rest: Rest | null }> {
  const record = await db
    .selectFrom("hosts")
    .select(["reason", sql<boolean>`rests_until is not null and probe_task is distinct from ${taskId}`.as("isResting")])
    .where("host", "=", host)
    .executeTakeFirst();
  return { hasFailed: record !== undefined, rest: record?.isResting ? { host, reason: record.reason } : null };
}
