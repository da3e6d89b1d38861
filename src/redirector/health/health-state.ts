/** When a primary counts as down, from the results of its checks. Pure: no clock, no network. */
import type { RedirectorReport } from "#contract/cloak/published-config.ts";

/** The health of a primary URL; routes with the same one share it. */
export type Check = {
  url: string;
  host: string;
  state: RedirectorReport["health"][number]["state"];
  /** Why the last check failed, or why there is none; null after a success. */
  reason: string | null;
  checkedAtMs: number | null;
  /** In a row. */
  failures: number;
  successes: number;
  /** When the failures in a row began. */
  failingSinceMs: number | null;
  dueAtMs: number;
};

const FAILURES_TO_DOWN = 3;
const SUCCESSES_TO_UP = 2;
/** Other hosts that are asked before a primary is given up. */
const MOST_WITNESSES = 5;
const LEAST_WITNESSES = 2;

export function newCheck(url: string): Check {
  return {
    url,
    host: new URL(url).host,
    state: "unknown",
    reason: null,
    checkedAtMs: null,
    failures: 0,
    successes: 0,
    failingSinceMs: null,
    dueAtMs: 0,
  };
}

/** Takes in that a check succeeded. */
export function noteSuccess(check: Check, nowMs: number): void {
  Object.assign(check, { reason: null, checkedAtMs: nowMs, failures: 0, failingSinceMs: null });
  check.successes += 1;
  if (check.state !== "down" || check.successes >= SUCCESSES_TO_UP) check.state = "up";
}

/** Takes in that a check failed, next to what is known of all others, whose next check may be brought forward. */
export function noteFailure(check: Check, reason: string, all: Iterable<Check>, nowMs: number): void {
  Object.assign(check, { reason, checkedAtMs: nowMs, successes: 0, failingSinceMs: check.failingSinceMs ?? nowMs });
  check.failures += 1;
  if (check.state === "down" || check.failures < FAILURES_TO_DOWN) return;
  if (isOwnNetworkTrusted(check, all, nowMs)) check.state = "down";
}

/** Takes in that an address is not to be checked. */
export function noteInternal(check: Check, nowMs: number): void {
  const reason = "This address is internal and is not checked.";
  Object.assign(check, {
    state: "unknown",
    reason,
    checkedAtMs: nowMs,
    failures: 0,
    successes: 0,
    failingSinceMs: null,
  });
}

/**
 * False while most hosts fail at once, which says more about our own network than about theirs, and until enough others
 * were asked. With fewer than two others nothing can be said against it.
 */
function isOwnNetworkTrusted(suspect: Check, all: Iterable<Check>, nowMs: number): boolean {
  const witnesses = groupWitnesses(suspect, all);
  if (witnesses.length < LEAST_WITNESSES) return true;
  const asked = witnesses.filter((checks) => checks.some((check) => wasAskedSince(check, suspect.failingSinceMs!)));
  if (asked.length < Math.min(witnesses.length, MOST_WITNESSES)) {
    const silent = witnesses.filter((checks) => !asked.includes(checks)).slice(0, MOST_WITNESSES);
    for (const checks of silent) checks[0]!.dueAtMs = Math.min(checks[0]!.dueAtMs, nowMs);
    return false;
  }
  const failing = asked.filter((checks) => checks.every((check) => check.failures > 0)).length + 1;
  return failing <= (asked.length + 1) / 2;
}

/** The checks of the other hosts that were not down already, by host. */
function groupWitnesses(suspect: Check, all: Iterable<Check>): Check[][] {
  const byHost = new Map<string, Check[]>();
  for (const check of all) {
    const isWitness = check.host !== suspect.host && check.state !== "down" && !isInternal(check);
    if (isWitness) byHost.set(check.host, [...(byHost.get(check.host) ?? []), check]);
  }
  return [...byHost.values()];
}

function wasAskedSince(check: Check, sinceMs: number): boolean {
  return check.checkedAtMs !== null && check.checkedAtMs >= sinceMs;
}

/** Asked, and neither up nor failing. */
function isInternal(check: Check): boolean {
  return check.state === "unknown" && check.checkedAtMs !== null && check.failures === 0;
}
