/** Breaks a caption into lines. Pure: how wide a text is comes from outside. */
import { splitGraphemes } from "../graphemes.ts";
import { type MeasureWidth, mostThatFit, partWord } from "./part-word.ts";
import { type Piece, splitIntoPieces } from "./split-into-pieces.ts";

/** A line, and the direction of the paragraph it was broken from. */
export type Line = { text: string; isRightToLeft: boolean };

/** A text between two line breaks that were typed. */
export type Paragraph = { pieces: Piece[]; isRightToLeft: boolean };

const FIRST_LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;

/** A hyphen would be read as part of an address, a name or a tag. */
const ADDRESS = /^[@#]|[./_:\\][^\s./_:\\]/u;
const TAG = /^[@#]/;

/** A piece this long is wider than any line. Measuring more of it takes long. */
const LONGEST_MEASURED = 1_000;

/** Reads where the lines of a text may end. */
export function readParagraphs(text: string): Paragraph[] {
  return text.split("\n").map((paragraph) => ({
    pieces: splitIntoPieces(paragraph),
    isRightToLeft: startsRightToLeft(paragraph),
  }));
}

/**
 * The lines of a text none of which is wider than `maxWidth`. Line breaks typed in it are kept; empty lines are not. Stops
 * looking once there are more than `mostLines`.
 */
export function breakLines(
  paragraphs: readonly Paragraph[],
  maxWidth: number,
  measure: MeasureWidth,
  mostLines: number,
): Line[] {
  const lines: Line[] = [];
  for (const { pieces, isRightToLeft } of paragraphs) {
    for (const line of fillLines(pieces, maxWidth, measure)) {
      if (line !== "") lines.push({ text: line, isRightToLeft });
      if (lines.length > mostLines) return lines;
    }
  }
  return lines;
}

/** The base direction of a paragraph: that of its first letter. */
export function startsRightToLeft(paragraph: string): boolean {
  return RIGHT_TO_LEFT.test(FIRST_LETTER.exec(paragraph)?.[0] ?? "");
}

/** The width of the widest stretch that a line break should not part. */
export function widestPiece(paragraphs: readonly Paragraph[], measure: MeasureWidth): number {
  return Math.max(0, ...paragraphs.flatMap(({ pieces }) => pieces.map((piece) => widthOf(piece, measure))));
}

/** As much of a text as is no wider than `maxWidth` with the ellipsis it ends in. */
export function shorten(text: string, maxWidth: number, measure: MeasureWidth): string {
  const kept = splitGraphemes(text);
  const shortenTo = (count: number) => `${kept.slice(0, count).join("").trimEnd()}…`;
  return shortenTo(mostThatFit(kept.length, (count) => measure(shortenTo(count)) <= maxWidth));
}

function* fillLines(pieces: readonly Piece[], maxWidth: number, measure: MeasureWidth): Generator<string> {
  let line = "";
  for (const piece of pieces) {
    for (const part of splitTooWide(piece, maxWidth, measure)) {
      if (line !== "" && measure((line + part).trim()) > maxWidth) {
        yield line.trim();
        line = "";
      }
      line += part;
    }
  }
  yield line.trim();
}

function widthOf({ text }: Pick<Piece, "text">, measure: MeasureWidth): number {
  return measure(text.trim().slice(0, LONGEST_MEASURED));
}

/** Breaks what is wider than a line between its words, and a word that is wider inside of it. */
function* splitTooWide({ text, parts }: Piece, maxWidth: number, measure: MeasureWidth): Generator<string> {
  if (widthOf({ text }, measure) <= maxWidth) {
    yield text;
    return;
  }
  const isHyphenated = !ADDRESS.test(text);
  for (const part of TAG.test(text) ? [text] : parts) {
    if (widthOf({ text: part }, measure) <= maxWidth) yield part;
    else yield* partWord(part, { maxWidth, measure, isHyphenated });
  }
}
