import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { toMilliseconds } from "#contract/transcripts/spread-words.ts";
import { type SpokenLine, spreadWords, type Transcript, type Word } from "./transcript.ts";

/** Returns each line with its words that are spoken in one of the windows, which may overlap; null for none. */
export function linesIn(transcript: Transcript, windows: readonly Window[]): (SpokenLine | null)[] {
  const joined = joinWindows(windows);
  return transcript.map((line) => {
    const words = line.words.filter((word) => isIn(joined, (word.startSeconds + word.endSeconds) / 2));
    return words.length === 0 ? null : words.length === line.words.length ? line : { ...line, words };
  });
}

/** In order, without overlaps. */
function joinWindows(windows: readonly Window[]): Window[] {
  const joined: Window[] = [];
  for (const window of windows.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
    const before = joined.at(-1);
    if (before && window.startSeconds <= before.endSeconds) {
      before.endSeconds = Math.max(before.endSeconds, window.endSeconds);
    } else joined.push({ ...window });
  }
  return joined;
}

/** Bisects: silences cut a video into hundreds of windows. */
function isIn(windows: readonly Window[], seconds: number): boolean {
  let [from, to] = [0, windows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (windows[middle]!.endSeconds > seconds) to = middle;
    else from = middle + 1;
  }
  const window = windows[from];
  return window !== undefined && window.startSeconds <= seconds;
}

/** A spoken word of no length still gets its share. */
const LEAST_SECONDS = 0.001;

/**
 * Returns a line with its translation, whose words are spread by letters over the time in which the line's words are
 * spoken. A translated word is shown during a spoken one, so that it is not lost where a pause between words is cut out.
 */
export function translateLine(line: SpokenLine, translation: string): SpokenLine {
  const lengths = line.words.map(({ startSeconds, endSeconds }) => Math.max(endSeconds - startSeconds, LEAST_SECONDS));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  // With one second per letter, times are places in the text.
  const letters = translation.length;
  const marks = [
    { at: 0, seconds: 0 },
    { at: letters, seconds: letters },
  ] as const;
  let spoken = 0;
  let before = 0;
  const words = (spreadWords(translation, marks) ?? []).map(({ text, startSeconds, endSeconds }): Word => {
    const [from, to] = [(startSeconds / letters) * total, (endSeconds / letters) * total];
    while (spoken < lengths.length - 1 && from >= before + lengths[spoken]!) before += lengths[spoken++]!;
    const word = line.words[spoken]!;
    const at = (place: number) => toMilliseconds(Math.min(word.startSeconds + place - before, word.endSeconds));
    return { text, startSeconds: at(from), endSeconds: at(to) };
  });
  return words.length === 0 ? line : { ...line, words };
}
