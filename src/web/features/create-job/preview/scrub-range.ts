import type { StreamSettings } from "#contract/job-settings/job-settings.ts";

/** Shown after the last change, as the video's length is unknown. */
const SECONDS_AFTER = 2;

export type ScrubRange = { mostSeconds: number; startsAtSeconds: number };

/** Returns null if captions are always shown. */
export function scrubRange({
  caption_start_seconds,
  caption_end_seconds,
}: StreamSettings<"timing">): ScrubRange | null {
  if (caption_start_seconds === 0 && caption_end_seconds === null) return null;
  const last = Math.max(caption_start_seconds, caption_end_seconds ?? 0);
  return { mostSeconds: Math.ceil(last) + SECONDS_AFTER, startsAtSeconds: caption_start_seconds };
}

/** `seconds` from the output's start. */
export function isShownAt(
  seconds: number,
  { caption_start_seconds, caption_end_seconds }: StreamSettings<"timing">,
): boolean {
  return seconds >= caption_start_seconds && (caption_end_seconds === null || seconds < caption_end_seconds);
}
