/** Checks primaries with a fallback, gradually: at the same time, one request per host and ten in total. */
import { randomUUID } from "node:crypto";
import { Agent, type Dispatcher, request } from "undici";
import { codeOf } from "#ground/error-code.ts";
import { connectToPublicAddresses, ForbiddenAddressError } from "#ground/public-address.ts";
import { type Check, newCheck, recordCheckSuccess, recordFailure, recordInternal } from "./health-state.ts";

type CheckPace = {
  /** For a stable primary, and for one that may be changing state. */
  calmMs: number;
  doubtfulMs: number;
  tickMs: number;
};

const PACE: CheckPace = { calmMs: 30_000, doubtfulMs: 10_000, tickMs: 500 };
/** Others stay unknown and never count as down. */
const MAX_CHECKED = 2_000;
const MAX_AT_ONCE = 10;
const MAX_STARTED_PER_TICK = 10;
/** Varies each wait by up to this share, against waves of checks. */
const JITTER = 0.2;

const MARK_MS = 5 * 60_000;

type HealthChecks = {
  /** Identifies the current health. Changes with any state or reason, and at least every five minutes. */
  mark(): string;
  checkOf(url: string): Check;
  adopt(checks: ReadonlyMap<string, Check>): void;
  close(): Promise<void>;
};

export type HealthCheckOptions = {
  /** Connects only to public addresses by default. */
  dispatcher?: Dispatcher;
  pace?: CheckPace;
};

/** Has no primaries until `adopt`, and checks at most 2,000. */
export function startHealthChecks(options: HealthCheckOptions): HealthChecks {
  const pace = options.pace ?? PACE;
  const dispatcher = options.dispatcher ?? new Agent({ connect: connectToPublicAddresses() });
  let live: ReadonlyMap<string, Check> = new Map();
  let checked: Check[] = [];
  const source = randomUUID();
  let changes = 0;
  const busyHosts = new Set<string>();
  const running = new Set<Promise<void>>();

  const run = async (check: Check): Promise<void> => {
    busyHosts.add(check.host);
    const result = await checkPrimary(check.url, dispatcher);
    busyHosts.delete(check.host);
    const nowMs = Date.now();
    const before = describe(check);
    if (result.kind === "success") recordCheckSuccess(check, nowMs);
    else if (result.kind === "internal") recordInternal(check, nowMs);
    else recordFailure(check, result.reason, checked, nowMs);
    if (describe(check) !== before) changes += 1;
    const waitMs = isDoubtful(check) ? pace.doubtfulMs : pace.calmMs;
    check.dueAtMs = nowMs + waitMs * (1 + JITTER * (2 * Math.random() - 1));
  };
  const tick = (): void => {
    const nowMs = Date.now();
    const due = checked.filter((check) => check.dueAtMs <= nowMs).toSorted((a, b) => a.dueAtMs - b.dueAtMs);
    let started = 0;
    for (const check of due) {
      if (started >= MAX_STARTED_PER_TICK || running.size >= MAX_AT_ONCE) return;
      if (busyHosts.has(check.host)) continue;
      started += 1;
      const done = run(check).finally(() => running.delete(done));
      running.add(done);
    }
  };
  const ticking = setInterval(tick, pace.tickMs);
  return {
    mark: () => `${source} ${changes} ${Math.floor(Date.now() / MARK_MS)}`,
    checkOf: (url) => live.get(url) ?? newCheck(url),
    adopt(checks) {
      live = checks;
      changes += 1;
      checked = [...checks.values()].slice(0, MAX_CHECKED);
    },
    async close() {
      clearInterval(ticking);
      if (!options.dispatcher) await dispatcher.destroy();
      await Promise.all(running);
    },
  };
}

function describe({ state, reason }: Check): string {
  return `${state} ${reason}`;
}

function isDoubtful({ state, failures, successes }: Check): boolean {
  return state === "down" ? successes > 0 : failures > 0;
}

const MOST_SECONDS = 5;

type CheckResult = { kind: "success" } | { kind: "failure"; reason: string } | { kind: "internal" };

/**
 * Does not follow redirects or read the body. Any response within 5 seconds means up, except 404, 410 and 5xx: many
 * healthy sites reject clients that are not browsers.
 */
async function checkPrimary(url: string, dispatcher: Dispatcher): Promise<CheckResult> {
  try {
    const response = await request(url, {
      dispatcher,
      headers: { "user-agent": "Clipmill health check", accept: "*/*" },
      signal: AbortSignal.timeout(MOST_SECONDS * 1000),
    });
    response.body.on("error", () => {});
    response.body.destroy();
    const { statusCode: status } = response;
    const isUp = status < 500 && status !== 404 && status !== 410;
    return isUp ? { kind: "success" } : { kind: "failure", reason: `It returned ${status}.` };
  } catch (error) {
    if (error instanceof ForbiddenAddressError) return { kind: "internal" };
    return { kind: "failure", reason: explain(error) };
  }
}

function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError")
    return `No response within ${MOST_SECONDS} seconds.`;
  const code = codeOf(error) ?? "unknown";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "Its host name could not be resolved.";
  if (code === "ECONNREFUSED") return "It refused the connection.";
  if (/^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return "Its certificate is not valid.";
  return `It could not be reached (${code}).`;
}
