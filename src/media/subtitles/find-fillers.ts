import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { fillerTest } from "#contract/transcripts/fillers.ts";
import { spreadWords, type SpokenLine, textOf, type Transcript } from "./transcript.ts";

/** All words, including hidden ones. `language` is a BCP 47 tag; null if it is not known. */
export type Spoken = { lines: Transcript; language: string | null };

/** Words fade in and out, and the times of words are not exact. */
const KEPT_SECONDS = 0.05;
/** Shorter words between two fillers would be dropped with them, at the highest speed. */
const MIN_BETWEEN_SECONDS = 0.2;

/**
 * Returns where to cut fillers, in order, on a clock on which the source's first frame is at 0. Takes up to 50 ms before
 * and after each, and stays 50 ms away from all other words. Where the times of a line's words are only spread over it,
 * none are cut: a neighbor could be hit.
 */
export function findFillers({ lines, language }: Spoken, offsetSeconds: number): Window[] {
  const isFiller = fillerTest(language);
  const words = lines
    .flatMap((line) => {
      const isTimed = line.words.every(isFiller) || !isSpread(line);
      return line.words.map((word) => ({ ...word, isCut: isTimed && isFiller(word) }));
    })
    .toSorted((a, b) => a.startSeconds - b.startSeconds);
  const nexts = nextStarts(words);
  const found: Window[] = [];
  let before = -Infinity;
  let isAfterWord = false;
  for (const [i, { isCut, ...word }] of words.entries()) {
    if (!isCut) {
      before = Math.max(before, word.endSeconds);
      isAfterWord = true;
      continue;
    }
    const startSeconds = Math.max(word.startSeconds - KEPT_SECONDS, before + KEPT_SECONDS) - offsetSeconds;
    const endSeconds = Math.min(word.endSeconds + KEPT_SECONDS, nexts[i]! - KEPT_SECONDS) - offsetSeconds;
    const isTooNear = isAfterWord && startSeconds - (found.at(-1)?.endSeconds ?? -Infinity) < MIN_BETWEEN_SECONDS;
    if (endSeconds <= startSeconds || isTooNear) continue;
    found.push({ startSeconds, endSeconds });
    isAfterWord = false;
  }
  return found;
}

/** Returns, for each word, when the next word that is kept starts. */
function nextStarts(words: readonly { startSeconds: number; isCut: boolean }[]): number[] {
  let next = Infinity;
  return words
    .toReversed()
    .map(({ startSeconds, isCut }) => {
      const after = next;
      if (!isCut) next = startSeconds;
      return after;
    })
    .toReversed();
}

/** True if the words' times are derived from the line's, because the file has no word timestamps. */
function isSpread({ words }: SpokenLine): boolean {
  const text = textOf(words);
  const { startSeconds } = words[0]!;
  const { endSeconds } = words.at(-1)!;
  const spread = spreadWords(text, [
    { at: 0, seconds: startSeconds },
    { at: text.length, seconds: endSeconds },
  ]);
  return words.every(({ startSeconds: at }, i) => Math.abs((spread?.[i]?.startSeconds ?? Infinity) - at) < 0.002);
}
