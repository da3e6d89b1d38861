import type { Window } from "#contract/jobs/outputs/assignment.ts";
import type { MediaFile, RenderRequest, TimelinePart } from "./render-plan.ts";

/** Shorter than a frame at any rate: what is left of a part by rounding. */
const LEAST_SECONDS = 0.001;

/** Cuts a window out of parts in a row; null takes all. `seconds` are the parts' lengths. */
export function cutParts(
  parts: readonly (TimelinePart & { seconds: number })[],
  window: Window | null,
): TimelinePart[] {
  let at = 0;
  return parts.flatMap(({ seconds, ...part }) => {
    const start = at;
    at += seconds;
    if (window === null) return [part];
    const from = Math.max(window.startSeconds - start, 0);
    const to = Math.min(window.endSeconds - start, seconds);
    if (parts.length > 1 && to - from < LEAST_SECONDS) return [];
    if (from === 0 && to === seconds) return [part];
    const base = part.window?.startSeconds ?? 0;
    return [{ ...part, window: { startSeconds: base + from, endSeconds: base + to } }];
  });
}

/**
 * Puts an intro and an end card around the clips. Both are shown in full, without captions and watermarks. Their places
 * in `sources` follow those of the clips.
 */
export function putAround(
  clips: readonly [MediaFile, ...MediaFile[]],
  { intro, outro }: { intro: MediaFile | null; outro: MediaFile | null },
): Pick<RenderRequest, "sources"> & { around: (parts: readonly TimelinePart[]) => TimelinePart[] } {
  const others = [intro, outro].filter((file) => file !== null);
  const bare = (file: MediaFile | null): TimelinePart[] =>
    file === null ? [] : [{ source: clips.length + others.indexOf(file), window: null, isBare: true }];
  return {
    sources: [...clips, ...others],
    around: (parts) => [...bare(intro), ...parts, ...bare(outro)],
  };
}
