/** A wait between tries that count as one attempt. */
import { sql } from "kysely";
import type { HostName } from "#contract/sources/resting-hosts.ts";

/** For a resting host, or for a fixed number of seconds. */
export type Wait = { host: HostName } | { seconds: number };

/** Fallback, longer than the longest wait: usually a task is woken when its host is probed or has answered. */
const HOST_WAIT_SECONDS = 25 * 60 * 60;

/** Returns the seconds until the queue hands out the task unless it is woken. */
export function secondsOf(wait: Wait): number {
  return "seconds" in wait ? wait.seconds : HOST_WAIT_SECONDS;
}

/** For a row that waits only for its turn. */
export const NOT_WAITING = { waits_for: null, waiting_since: null, next_try_at: null };

/**
 * Returns the columns of a row that waits. A repeated wait keeps the start of the first, so that the limit of 24 hours
 * applies to all together.
 */
export function waitColumns(wait: Wait) {
  return {
    waits_for: "host" in wait ? wait.host : null,
    waiting_since: sql<string>`coalesce(waiting_since, now())`,
    next_try_at: "seconds" in wait ? sql<string>`now() + ${wait.seconds}::float8 * interval '1 s'` : null,
  };
}
