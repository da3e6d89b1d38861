/** Breaks a caption into lines. Pure: how wide a text is comes from outside. */

export type MeasureWidth = (text: string) => number;

const words = new Intl.Segmenter(undefined, { granularity: "word" });
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Scripts written without spaces: a line may end after any word of theirs. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;

/** The lines of a text none of which is wider than `maxWidth`. Line breaks typed in it are kept; empty lines are not. */
export function breakLines(text: string, maxWidth: number, measure: MeasureWidth): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((paragraph) => fillLines(piecesOf(paragraph), maxWidth, measure))
    .filter((line) => line !== "");
}

/** True when a word has to be broken in the middle to fit. */
export function hasTooWideWord(text: string, maxWidth: number, measure: MeasureWidth): boolean {
  return piecesOf(text).some((piece) => measure(piece.trim()) > maxWidth);
}

/** As much of a text as is no wider than `maxWidth` with the ellipsis it ends in. */
export function shorten(text: string, maxWidth: number, measure: MeasureWidth): string {
  const kept = splitGraphemes(text);
  while (kept.length > 0 && measure(`${kept.join("").trimEnd()}…`) > maxWidth) kept.pop();
  return `${kept.join("").trimEnd()}…`;
}

/** The stretches of a paragraph between which a line may end; spaces stay at the end of theirs. */
function piecesOf(paragraph: string): string[] {
  const pieces: string[] = [];
  for (const { segment, isWordLike } of words.segment(paragraph)) {
    const before = pieces.at(-1);
    if (before === undefined || mayBreakBetween(before, segment, isWordLike === true)) pieces.push(segment);
    else pieces[pieces.length - 1] = before + segment;
  }
  return pieces;
}

function mayBreakBetween(before: string, segment: string, isWord: boolean): boolean {
  if (/^\s/u.test(segment)) return false;
  if (/\s$/u.test(before)) return true;
  return isWord && !OPENING.test(before) && (SPACELESS.test(before.slice(-1)) || SPACELESS.test(segment.slice(0, 1)));
}

function fillLines(pieces: string[], maxWidth: number, measure: MeasureWidth): string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of pieces.flatMap((piece) => splitTooWide(piece, maxWidth, measure))) {
    if (line !== "" && measure((line + piece).trim()) > maxWidth) {
      lines.push(line.trim());
      line = "";
    }
    line += piece;
  }
  return [...lines, line.trim()];
}

/** Breaks a word wider than a line between graphemes, so that an emoji or an accented letter stays whole. */
function splitTooWide(piece: string, maxWidth: number, measure: MeasureWidth): string[] {
  if (measure(piece.trim()) <= maxWidth) return [piece];
  const parts: string[] = [];
  let part = "";
  for (const grapheme of splitGraphemes(piece)) {
    if (part !== "" && measure((part + grapheme).trim()) > maxWidth) {
      parts.push(part);
      part = "";
    }
    part += grapheme;
  }
  return [...parts, part];
}

function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
