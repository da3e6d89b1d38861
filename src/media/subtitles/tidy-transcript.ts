import { toMilliseconds } from "#contract/transcripts/spread-words.ts";
import type { TranscriptLine } from "#contract/transcripts/transcripts.ts";
import { spreadWords, type Word } from "./transcript.ts";

/**
 * Puts edited lines in order: words and lines by their starts, each line around its words. A word with spaces becomes
 * several, a space separates words unless their scripts have none, and times are whole milliseconds.
 */
export function tidyTranscript(lines: readonly TranscriptLine[]): TranscriptLine[] {
  return lines.map(tidyLine).toSorted((a, b) => a.startSeconds - b.startSeconds);
}

function tidyLine({ startSeconds, endSeconds, words: given }: TranscriptLine): TranscriptLine {
  const words = given.flatMap(splitWord).toSorted((a, b) => a.startSeconds - b.startSeconds);
  const last = words.at(-1)!;
  last.text = last.text.trimEnd();
  return {
    startSeconds: Math.min(toMilliseconds(startSeconds), words[0]!.startSeconds),
    endSeconds: words.reduce((end, word) => Math.max(end, word.endSeconds), toMilliseconds(endSeconds)),
    words,
  };
}

/** A word with spaces becomes several. */
export function splitWord({ text, startSeconds, endSeconds, ...more }: Word): Word[] {
  const own = text.trim();
  const [start, end] = [toMilliseconds(startSeconds), toMilliseconds(endSeconds)];
  const after = /\n\s*$/u.test(text) ? "\n" : /\s$/u.test(text) ? " " : "";
  const times = { startSeconds: start, endSeconds: end };
  if (!/\s/u.test(own)) return [{ text: own + after, ...times, ...more }];
  const marks = [
    { at: 0, seconds: start },
    { at: own.length, seconds: end },
  ] as const;
  const parts = (spreadWords(own, marks) ?? []).map((part) => Object.assign(part, more));
  parts.at(-1)!.text += after;
  return parts;
}

/** Returns a transcript without the words that are not shown. */
export function shownOf(lines: readonly TranscriptLine[]): TranscriptLine[] {
  return lines.flatMap((line) => {
    const words = line.words.filter(({ hidden }) => !hidden);
    const last = words.at(-1);
    if (!last) return [];
    return [{ ...line, words: [...words.slice(0, -1), { ...last, text: last.text.trimEnd() }] }];
  });
}
