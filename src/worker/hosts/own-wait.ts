import type { ClipmillError } from "#contract/errors.ts";
import type { Wait } from "#operations/hosts/find-cooldown.ts";
import { AwaitsTranscript, TRANSCRIPT_WAIT_SECONDS } from "../transcripts/awaits-transcript.ts";
import { HostCoolsDown } from "#operations/hosts/contact-host.ts";
import type { OwnWaits } from "../worker-context.ts";

/** Errors that only time fixes; retries would use up the attempts. In seconds. */
export const OWN_WAITS = {
  // Google limits a file's downloads per hour and per day.
  quota_exceeded: { first: 10 * 60, longest: 60 * 60 },
  // An operator or the next cleanup must free space first.
  no_space: { first: 30, longest: 2 * 60 },
} as const satisfies OwnWaits;

/**
 * Returns what to wait for without using an attempt, or null for a normal retry. A video's own wait equals the time
 * since `waitingSince`, within `ownWaits`.
 */
export function findWait(
  error: ClipmillError,
  waitingSince: string | null,
  nowMs: number,
  ownWaits: OwnWaits = OWN_WAITS,
): Wait | null {
  if (error instanceof HostCoolsDown) return { host: error.host };
  if (error instanceof AwaitsTranscript) return { seconds: TRANSCRIPT_WAIT_SECONDS, isForTranscript: true };
  const own = ownWaits[error.code];
  if (!own) return null;
  const waitedSeconds = waitingSince === null ? 0 : (nowMs - Date.parse(waitingSince)) / 1000;
  return { seconds: Math.min(Math.max(waitedSeconds, own.first), own.longest) };
}
