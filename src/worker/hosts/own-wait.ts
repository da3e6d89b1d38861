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
 * What a video has to wait for after a fault, without counting an attempt; null when the next attempt is all there is. A wait of
 * its own is as long as all those before it: `waitingSince` is when the first began.
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
