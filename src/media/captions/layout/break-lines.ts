import { scriptOfLanguage } from "#contract/jobs/outputs/languages.ts";
import { splitGraphemes } from "../graphemes.ts";
import { type MeasureWidth, maxFittingCount, splitWord, type Piece, splitIntoPieces } from "./split-into-pieces.ts";

export type Line = { text: string; isRightToLeft: boolean };

export type Paragraph = { pieces: Piece[]; isRightToLeft: boolean };

const FIRST_LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;
/** ISO 15924. */
const RIGHT_TO_LEFT_SCRIPTS: ReadonlySet<string | null> = new Set(["Arab", "Hebr", "Syrc", "Thaa", "Nkoo"]);

/** Addresses, names and tags, where a hyphen would seem part of the text. */
const ADDRESS = /^[@#]|[./_:\\][^\s./_:\\]/u;
const TAG = /^[@#]/;

/** Longer pieces are wider than any line, and slow to measure. */
const MAX_MEASURED = 1_000;

export function readParagraphs(text: string, language: string | null = null): Paragraph[] {
  return text.split("\n").map((paragraph) => ({
    pieces: splitIntoPieces(paragraph),
    isRightToLeft: isRightToLeft(paragraph, language),
  }));
}

/** In a right-to-left language, a paragraph may start with a name in Latin letters. */
export function isRightToLeft(paragraph: string, language: string | null): boolean {
  const isOfLanguage = language !== null && RIGHT_TO_LEFT_SCRIPTS.has(scriptOfLanguage(language));
  return isOfLanguage ? RIGHT_TO_LEFT.test(paragraph) : startsRightToLeft(paragraph);
}

/** Keeps typed line breaks, drops empty lines and stops after `maxLines` + 1 lines. */
export function breakLines(
  paragraphs: readonly Paragraph[],
  maxWidth: number,
  measure: MeasureWidth,
  maxLines: number,
): Line[] {
  const lines: Line[] = [];
  for (const { pieces, isRightToLeft } of paragraphs) {
    for (const line of fillLines(pieces, maxWidth, measure)) {
      if (line !== "") lines.push({ text: line, isRightToLeft });
      if (lines.length > maxLines) return lines;
    }
  }
  return lines;
}

/** Without a language, the first letter sets a paragraph's base direction. */
export function startsRightToLeft(paragraph: string): boolean {
  return RIGHT_TO_LEFT.test(FIRST_LETTER.exec(paragraph)?.[0] ?? "");
}

export function widestPiece(paragraphs: readonly Paragraph[], measure: MeasureWidth): number {
  return Math.max(0, ...paragraphs.flatMap(({ pieces }) => pieces.map((piece) => widthOf(piece, measure))));
}

export function shorten(text: string, maxWidth: number, measure: MeasureWidth): string {
  const kept = splitGraphemes(text);
  const shortenTo = (count: number) => `${kept.slice(0, count).join("").trimEnd()}…`;
  return shortenTo(maxFittingCount(kept.length, (count) => measure(shortenTo(count)) <= maxWidth));
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
  return measure(text.trim().slice(0, MAX_MEASURED));
}

function* splitTooWide({ text, parts }: Piece, maxWidth: number, measure: MeasureWidth): Generator<string> {
  if (widthOf({ text }, measure) <= maxWidth) {
    yield text;
    return;
  }
  const isHyphenated = !ADDRESS.test(text);
  for (const part of TAG.test(text) ? [text] : parts) {
    if (widthOf({ text: part }, measure) <= maxWidth) yield part;
    else yield* splitWord(part, { maxWidth, measure, isHyphenated });
  }
}
