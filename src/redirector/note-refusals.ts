import type { Logger } from "pino";
import type { ErrorCode } from "#contract/errors.ts";

export type LogRefusal = (code: ErrorCode) => void;

const QUIET_MS = 60_000;

/**
 * Logs rejected requests once a minute per error code, with the number suppressed. Logs none of their content: anyone
 * on the internet can send them.
 */
export function createRefusalLogger(log: Logger, now: () => number = Date.now): LogRefusal {
  const noted = new Map<ErrorCode, { untilMs: number; suppressed: number }>();
  return (code) => {
    const last = noted.get(code);
    if (last && now() < last.untilMs) {
      last.suppressed += 1;
      return;
    }
    noted.set(code, { untilMs: now() + QUIET_MS, suppressed: 0 });
    log.warn({ code, others: last?.suppressed ?? 0 }, "an internal request was refused");
  };
}
