/** Circuit breaker: decides when a host cools down and for how long. Pure. */

const FAILURES_BEFORE_COOLDOWN = 3;
/** Failures further apart belong to different outages. */
const MAX_GAP_MS = 10 * 60_000;
const FIRST_COOLDOWN_SECONDS = 15;
const MAX_COOLDOWN_SECONDS = 5 * 60;
const MAX_REQUESTED_SECONDS = 60 * 60;
/** Keeps installations from retrying at the same time. */
const JITTER = 0.2;

export type HostState = {
  /** Consecutive failures. */
  failures: number;
  failedAtMs: number;
  /** Null unless the host cools down. */
  coolingSinceMs: number | null;
  coolsUntilMs: number | null;
  /** Without jitter. */
  cooldownSeconds: number;
};

type Failure = {
  nowMs: number;
  /** The cooling host's probe failed. */
  isProbe: boolean;
  /** Requested by the host. */
  retryAfterSeconds: number | null;
  /** From 0 to 1. */
  random: number;
};

/** `before` is null after a success. */
export function afterFailure(before: HostState | null, failure: Failure): HostState {
  const { nowMs } = failure;
  const coolsUntilMs = before?.coolsUntilMs ?? null;
  // A request from before the cooldown only extends it, if the host requests that.
  if (before && coolsUntilMs !== null && !failure.isProbe) {
    return { ...before, coolsUntilMs: Math.max(coolsUntilMs, nowMs + requestedMs(failure)) };
  }
  const isSeries = before !== null && (coolsUntilMs !== null || nowMs - before.failedAtMs <= MAX_GAP_MS);
  const failures = isSeries ? before.failures + 1 : 1;
  const mustCoolDown =
    coolsUntilMs !== null || failures >= FAILURES_BEFORE_COOLDOWN || failure.retryAfterSeconds !== null;
  if (!mustCoolDown)
    return { failures, failedAtMs: nowMs, coolingSinceMs: null, coolsUntilMs: null, cooldownSeconds: 0 };
  const cooldownSeconds =
    before && coolsUntilMs !== null
      ? Math.min(2 * before.cooldownSeconds, MAX_COOLDOWN_SECONDS)
      : FIRST_COOLDOWN_SECONDS;
  const cooldownMs = Math.round(cooldownSeconds * 1000 * (1 - JITTER + 2 * JITTER * failure.random));
  return {
    failures,
    failedAtMs: nowMs,
    coolingSinceMs: before?.coolingSinceMs ?? nowMs,
    coolsUntilMs: nowMs + Math.max(cooldownMs, requestedMs(failure)),
    cooldownSeconds,
  };
}

/** An impossibly long cooldown means that the clock was set back. */
export function isDue({ coolsUntilMs }: Pick<HostState, "coolsUntilMs">, nowMs: number): boolean {
  return coolsUntilMs !== null && (nowMs >= coolsUntilMs || coolsUntilMs - nowMs > MAX_REQUESTED_SECONDS * 1000);
}

/** Without a cooldown, a failure more than 10 minutes later starts a new series. */
export function isOver(state: Pick<HostState, "failedAtMs">, nowMs: number): boolean {
  return nowMs - state.failedAtMs > MAX_GAP_MS;
}

function requestedMs({ retryAfterSeconds }: Failure): number {
  return Math.min(retryAfterSeconds ?? 0, MAX_REQUESTED_SECONDS) * 1000;
}
