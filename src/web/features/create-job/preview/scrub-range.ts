/** The times at which a preview can be seen while captions are shown for a part of it. Pure. */
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";

/** Kept beyond the last change, because the video's length is not known. */
const SECONDS_AFTER = 2;

export type ScrubRange = { mostSeconds: number; startsAtSeconds: number };

/** Returns the range, which starts at a time with the caption; null if captions are always shown. */
export function scrubRange({
  caption_start_seconds,
  caption_end_seconds,
}: StreamSettings<"timing">): ScrubRange | null {
  if (caption_start_seconds === 0 && caption_end_seconds === null) return null;
  const last = Math.max(caption_start_seconds, caption_end_seconds ?? 0);
  return { mostSeconds: Math.ceil(last) + SECONDS_AFTER, startsAtSeconds: caption_start_seconds };
}

/** Returns whether the caption is shown at a time, in seconds from the output's start. */
export function isShownAt(
  seconds: number,
  { caption_start_seconds, caption_end_seconds }: StreamSettings<"timing">,
): boolean {
  return seconds >= caption_start_seconds && (caption_end_seconds === null || seconds < caption_end_seconds);
}
