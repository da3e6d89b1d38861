import type { Window } from "#contract/jobs/outputs/assignment.ts";

/** As 16-bit samples at 16 kHz, 19 MB: servers take at most 25 MB. */
const MOST_SECONDS = 600;
/** A cut is looked for from here on, or in any pause that is long. */
const LEAST_SECONDS = 300;
const LONG_PAUSE_SECONDS = 30;
/** Padding around the speech of a part. */
const MARGIN_SECONDS = 0.5;

/**
 * Divides the sound into parts to transcribe, each with speech, at the longest pauses. A part without a pause is cut at
 * its full length.
 */
export function planParts(speech: readonly Window[], seconds: number): Window[] {
  const parts: Window[] = [];
  let rest = speech;
  for (let from = 0; rest.length > 0;) {
    const first = rest[0]!;
    const startSeconds = Math.max(from, first.startSeconds - MARGIN_SECONDS);
    const end = findCut(rest, startSeconds, seconds);
    parts.push({ startSeconds, endSeconds: end });
    from = end;
    rest = rest.flatMap((one) => {
      return one.endSeconds <= end ? [] : [{ ...one, startSeconds: Math.max(one.startSeconds, end) }];
    });
  }
  return parts;
}

function findCut(speech: readonly Window[], startSeconds: number, seconds: number): number {
  const last = Math.min(seconds, speech.at(-1)!.endSeconds + MARGIN_SECONDS);
  if (last - startSeconds <= MOST_SECONDS) return last;
  const latest = startSeconds + MOST_SECONDS;
  let best = { at: latest, length: 0 };
  for (const [i, { startSeconds: to }] of speech.entries()) {
    const from = speech[i - 1]?.endSeconds ?? startSeconds;
    const at = Math.min((from + to) / 2, from + MARGIN_SECONDS);
    const isEarly = at < startSeconds + LEAST_SECONDS && to - from < LONG_PAUSE_SECONDS;
    if (i === 0 || isEarly || at > latest) continue;
    if (to - from >= best.length) best = { at, length: to - from };
  }
  return best.at;
}
