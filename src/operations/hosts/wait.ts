import { sql } from "kysely";
import type { HostName } from "#contract/sources/resting-hosts.ts";

/** A wait between tries that count as one attempt. */
export type Wait = { host: HostName } | { seconds: number };

/** Fallback: usually tasks are woken when their host is probed or answers. */
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
