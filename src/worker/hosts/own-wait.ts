import type { ClipmillError } from "#contract/errors.ts";
import type { Wait } from "#operations/hosts/wait.ts";
import { HostRests } from "./contact-host.ts";
import type { OwnWaits } from "../worker-context.ts";

/** Errors of one video that only time can fix; retries would use up its attempts. */
const OWN_WAITS: OwnWaits = {
  // Google counts the downloads of a file by the hour and by the day.
  quota_exceeded: { first: 10 * 60, longest: 60 * 60 },
  // Someone, or the next cleanup, has to free space first.
  no_space: { first: 30, longest: 2 * 60 },
};

/**
 * Returns what a video must wait for after an error, or null if it should use its next attempt. Waits do not count as
 * attempts. A video's own wait equals the time since `waitingSince`, within the limits of `ownWaits`.
 */
export function findWait(
  fault: ClipmillError,
  waitingSince: string | null,
  nowMs: number,
  ownWaits: OwnWaits = OWN_WAITS,
): Wait | null {
  if (fault instanceof HostRests) return { host: fault.host };
  const own = ownWaits[fault.code];
  if (!own) return null;
  const waitedSeconds = waitingSince === null ? 0 : (nowMs - Date.parse(waitingSince)) / 1000;
  return { seconds: Math.min(Math.max(waitedSeconds, own.first), own.longest) };
}
