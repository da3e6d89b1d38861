import { spreadPieces, type TimeMark } from "#contract/transcripts/spread-words.ts";
import type { TranscriptLine, TranscriptWord } from "#contract/transcripts/transcripts.ts";
import { splitIntoPieces } from "../captions/layout/split-into-pieces.ts";

export type Word = TranscriptWord;
export type SpokenLine = TranscriptLine;

/** In order of their starts. Lines may overlap. */
export type Transcript = readonly SpokenLine[];

const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;

/**
 * Splits a text into words with times. Times between the marks, which are in order, are spread by letters. Returns null
 * for a text without words.
 */
export function spreadWords(text: string, marks: readonly [TimeMark, ...TimeMark[]]): Word[] | null {
  const words: Word[] = spreadPieces(splitText(text), marks);
  return words.length === 0 ? null : words;
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
