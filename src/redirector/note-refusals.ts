import type { Logger } from "pino";
import type { ErrorCode } from "#contract/errors.ts";

export type NoteRefusal = (code: ErrorCode) => void;

const QUIET_MS = 60_000;

/**
 * Writes down that requests to the redirector's own addresses are refused: once a minute for each reason, with how many
 * there were since. Anybody on the internet can send such requests, so nothing they say is written down.
 */
export function createRefusalNotes(log: Logger, now: () => number = Date.now): NoteRefusal {
  const noted = new Map<ErrorCode, { untilMs: number; suppressed: number }>();
  return (code) => {
    const last = noted.get(code);
    if (last && now() < last.untilMs) {
      last.suppressed += 1;
      return;
    }
    noted.set(code, { untilMs: now() + QUIET_MS, suppressed: 0 });
    log.warn({ code, others: last?.suppressed ?? 0 }, "a request of the back office was refused");
  };
}
