import type { RedirectorReport } from "#contract/cloak/published-config.ts";

export type Check = {
  url: string;
  host: string;
  state: RedirectorReport["health"][number]["state"];
  /** Of the last check's failure or absence; null after a success. */
  reason: string | null;
  checkedAtMs: number | null;
  failures: number;
  successes: number;
  failingSinceMs: number | null;
  dueAtMs: number;
};

const FAILURES_TO_DOWN = 3;
const SUCCESSES_TO_UP = 2;
/** Other hosts to check before a primary counts as down. */
const MAX_WITNESSES = 5;
const MIN_WITNESSES = 2;

/** Throws TypeError for an invalid URL. */
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

/** The primary is up immediately, or after two consecutive successes if it was down. */
export function recordCheckSuccess(check: Check, nowMs: number): void {
  Object.assign(check, { reason: null, checkedAtMs: nowMs, failures: 0, failingSinceMs: null });
  check.successes += 1;
  if (check.state !== "down" || check.successes >= SUCCESSES_TO_UP) check.state = "up";
}

/** May bring forward checks of other hosts for comparison. */
export function recordFailure(check: Check, reason: string, all: Iterable<Check>, nowMs: number): void {
  Object.assign(check, { reason, checkedAtMs: nowMs, successes: 0, failingSinceMs: check.failingSinceMs ?? nowMs });
  check.failures += 1;
  if (check.state === "down" || check.failures < FAILURES_TO_DOWN) return;
  if (isOwnNetworkTrusted(check, all, nowMs)) check.state = "down";
}

/** Internal addresses stay unknown and are no evidence about our own network. */
export function recordInternal(check: Check, nowMs: number): void {
  const reason = "Internal addresses are not checked.";
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
 * False while most hosts fail, which points to our own network, and until enough others were checked. True with fewer
 * than two others to compare.
 */
function isOwnNetworkTrusted(suspect: Check, all: Iterable<Check>, nowMs: number): boolean {
  const witnesses = groupWitnesses(suspect, all);
  if (witnesses.length < MIN_WITNESSES) return true;
  const checked = witnesses.filter((checks) => checks.some((check) => wasCheckedSince(check, suspect.failingSinceMs!)));
  if (checked.length < Math.min(witnesses.length, MAX_WITNESSES)) {
    const unchecked = witnesses.filter((checks) => !checked.includes(checks)).slice(0, MAX_WITNESSES);
    for (const checks of unchecked) checks[0]!.dueAtMs = Math.min(checks[0]!.dueAtMs, nowMs);
    return false;
  }
  const failing = checked.filter((checks) => checks.every((check) => check.failures > 0)).length + 1;
  return failing <= (checked.length + 1) / 2;
}

function groupWitnesses(suspect: Check, all: Iterable<Check>): Check[][] {
  const byHost = new Map<string, Check[]>();
  for (const check of all) {
    const isWitness = check.host !== suspect.host && check.state !== "down" && !isInternal(check);
    if (isWitness) byHost.set(check.host, [...(byHost.get(check.host) ?? []), check]);
  }
  return [...byHost.values()];
}

function wasCheckedSince(check: Check, sinceMs: number): boolean {
  return check.checkedAtMs !== null && check.checkedAtMs >= sinceMs;
}

function isInternal(check: Check): boolean {
  return check.state === "unknown" && check.checkedAtMs !== null && check.failures === 0;
}
