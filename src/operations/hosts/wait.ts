/** What a video waits for between two tries that count as one attempt. */
import { sql } from "kysely";
import type { HostName } from "#contract/hosts.ts";

/** For a resting host, or for so many seconds of its own. */
export type Wait = { host: HostName } | { seconds: number };

/**
 * The queue hands out a task that waits for a host when the host is tried or has answered. Should nobody see to that, the queue
 * does it by itself, after more than the longest wait.
 */
const HOST_WAIT_SECONDS = 25 * 60 * 60;

/** After how many seconds the queue hands the task out again by itself. */
export function secondsOf(wait: Wait): number {
  return "seconds" in wait ? wait.seconds : HOST_WAIT_SECONDS;
}

/** The columns of a row that waits for nothing but its turn. */
export const NOT_WAITING = { waits_for: null, waiting_since: null, next_try_at: null };

/** The columns of a row that waits. */
export function waitColumns(wait: Wait) {
  return {
    waits_for: "host" in wait ? wait.host : null,
    waiting_since: sql<string>`coalesce(waiting_since, now())`,
    next_try_at: "seconds" in wait ? sql<string>`now() + ${wait.seconds}::float8 * interval '1 s'` : null,
  };
}
