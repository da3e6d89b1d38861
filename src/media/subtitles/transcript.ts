import type { TranscriptLine, TranscriptWord } from "#contract/transcripts/transcripts.ts";
import { splitIntoPieces } from "../captions/layout/split-into-pieces.ts";

export type Word = TranscriptWord;
export type SpokenLine = TranscriptLine;

/** In order of their starts. Lines may overlap. */
export type Transcript = readonly SpokenLine[];

/** `at` is a place in the text, in UTF-16 units. */
export type TimeMark = { at: number; seconds: number };

const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;

/**
 * Splits a text into words with times. Times between the marks, which are in order, are spread by letters. Returns null
 * for a text without words.
 */
export function spreadWords(text: string, marks: readonly [TimeMark, ...TimeMark[]]): Word[] | null {
  const words: Word[] = [];
  let at = 0;
  let mark = 0;
  const timeAt = (place: number): number => {
    while (mark > 0 && marks[mark]!.at > place) mark--;
    while (mark < marks.length - 1 && marks[mark + 1]!.at <= place) mark++;
    const [from, to] = [marks[mark]!, marks[mark + 1]];
    if (!to || to.at === from.at) return from.seconds;
    return toMilliseconds(from.seconds + ((to.seconds - from.seconds) * (place - from.at)) / (to.at - from.at));
  };
  for (const piece of splitText(text)) {
    const start = at;
    at += piece.length;
    const word = piece.trimEnd();
    if (word === "") continue;
    const startSeconds = timeAt(start);
    const followedBy = /\n/.test(piece) ? "\n" : piece.length > word.length ? " " : "";
    words.push({
      text: word + followedBy,
      startSeconds,
      endSeconds: Math.max(startSeconds, timeAt(start + word.length)),
    });
  }
  const last = words.at(-1);
  if (!last) return null;
  last.text = last.text.trimEnd();
  return words;
}

/** Pieces in a row make up the whole text. Spaces stay at the end of a piece, except those at the text's start. */
function splitText(text: string): string[] {
  return (text.match(/^\s+|\S+\s*/gu) ?? []).flatMap((piece) =>
    SPACELESS.test(piece) ? splitIntoPieces(piece).map((one) => one.text) : [piece],
  );
}

export function textOf(words: readonly Pick<Word, "text">[]): string {
  return words
    .map(({ text }) => text)
    .join("")
    .trimEnd();
}

export function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
