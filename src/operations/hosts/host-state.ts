/** Circuit breaker: decides when a host rests and for how long. Pure. */

const FAILURES_BEFORE_REST = 3;
/** Failures further apart belong to different outages. */
const MAX_GAP_MS = 10 * 60_000;
const FIRST_REST_SECONDS = 15;
const MAX_REST_SECONDS = 5 * 60;
const MAX_REQUESTED_SECONDS = 60 * 60;
/** Keeps installations from retrying at the same time. */
const JITTER = 0.2;

export type HostState = {
  /** Consecutive failures. */
  failures: number;
  failedAtMs: number;
  /** Null unless the host rests. */
  restingSinceMs: number | null;
  restsUntilMs: number | null;
  /** Without jitter. */
  restSeconds: number;
};

type Fault = {
  nowMs: number;
  /** The resting host's probe failed. */
  isProbe: boolean;
  /** Requested by the host. */
  retryAfterSeconds: number | null;
  /** From 0 to 1. */
  random: number;
};

/** `before` is null after a success. */
export function afterFailure(before: HostState | null, fault: Fault): HostState {
  const { nowMs } = fault;
  const restsUntilMs = before?.restsUntilMs ?? null;
  // A request from before the rest only extends it, if the host requests that.
  if (before && restsUntilMs !== null && !fault.isProbe) {
    return { ...before, restsUntilMs: Math.max(restsUntilMs, nowMs + requestedMs(fault)) };
  }
  const isSeries = before !== null && (restsUntilMs !== null || nowMs - before.failedAtMs <= MAX_GAP_MS);
  const failures = isSeries ? before.failures + 1 : 1;
  const mustRest = restsUntilMs !== null || failures >= FAILURES_BEFORE_REST || fault.retryAfterSeconds !== null;
  if (!mustRest) return { failures, failedAtMs: nowMs, restingSinceMs: null, restsUntilMs: null, restSeconds: 0 };
  const restSeconds =
    before && restsUntilMs !== null ? Math.min(2 * before.restSeconds, MAX_REST_SECONDS) : FIRST_REST_SECONDS;
  const restMs = Math.round(restSeconds * 1000 * (1 - JITTER + 2 * JITTER * fault.random));
  return {
    failures,
    failedAtMs: nowMs,
    restingSinceMs: before?.restingSinceMs ?? nowMs,
    restsUntilMs: nowMs + Math.max(restMs, requestedMs(fault)),
    restSeconds,
  };
}

/** An impossibly long rest means that the clock was set back. */
export function isDue({ restsUntilMs }: Pick<HostState, "restsUntilMs">, nowMs: number): boolean {
  return restsUntilMs !== null && (nowMs >= restsUntilMs || restsUntilMs - nowMs > MAX_REQUESTED_SECONDS * 1000);
}

/** Without a rest, a failure more than 10 minutes later starts a new series. */
export function isOver(state: Pick<HostState, "failedAtMs">, nowMs: number): boolean {
  return nowMs - state.failedAtMs > MAX_GAP_MS;
}

function requestedMs({ retryAfterSeconds }: Fault): number {
  return Math.min(retryAfterSeconds ?? 0, MAX_REQUESTED_SECONDS) * 1000;
}
