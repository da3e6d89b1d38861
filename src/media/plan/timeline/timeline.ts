import type { Window } from "#contract/jobs/outputs/assignment.ts";
import type { MediaFile, RenderRequest, TimelinePart } from "../render-plan.ts";

/** Nothing shorter is cut off a part: a frame or two would flash, and cannot be joined. */
const LEAST_SECONDS = 0.1;

/** `seconds` is its length on the clock of windows, `sourceSeconds` that on its source's, if it is another. */
export type LaidPart = TimelinePart & { seconds: number; sourceSeconds?: number };

/** Cuts a window out of parts in a row; null takes all. A window that starts or ends close to a join does so at it. */
export function cutParts(parts: readonly LaidPart[], window: Window | null): TimelinePart[] {
  const starts = parts.map((_, i) => parts.slice(0, i).reduce((sum, { seconds }) => sum + seconds, 0));
  const [, ...joins] = starts;
  const atJoin = (time: number) => joins.find((join) => Math.abs(join - time) < LEAST_SECONDS) ?? time;
  return parts.flatMap(({ seconds, sourceSeconds = seconds, ...part }, i) => {
    if (window === null) return [part];
    const from = Math.max(atJoin(window.startSeconds) - starts[i]!, 0);
    const to = Math.min(atJoin(window.endSeconds) - starts[i]!, seconds);
    if (parts.length > 1 && to <= from) return [];
    // Rounded: sums of lengths are not exact.
    if (from === 0 && seconds - to < 1e-6) return [part];
    const base = part.window?.startSeconds ?? 0;
    const pace = sourceSeconds / seconds;
    const onSource = (time: number) => base + (time === seconds ? sourceSeconds : time * pace);
    return [{ ...part, window: { startSeconds: onSource(from), endSeconds: onSource(to) } }];
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
