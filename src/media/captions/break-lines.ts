/** Breaks a caption into lines. Pure: how wide a text is comes from outside. */

export type MeasureWidth = (text: string) => number;

/** A line, and the direction of the paragraph it was broken from. */
export type Line = { text: string; isRightToLeft: boolean };

const words = new Intl.Segmenter(undefined, { granularity: "word" });
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Scripts written without spaces: a line may end after any word of theirs. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;
const EMOJI = /^\p{Emoji_Presentation}|\uFE0F/u;
const FIRST_LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;

/** A Japanese phrase is a stem and the hiragana after it; breaking it reads badly. Longer runs are broken between words. */
const PHRASE_CHARACTERS = 8;

/**
 * The lines of a text none of which is wider than `maxWidth`. Line breaks typed in it are kept; empty lines are not. Stops
 * looking once there are more than `mostLines`.
 */
export function breakLines(text: string, maxWidth: number, measure: MeasureWidth, mostLines: number): Line[] {
  const lines: Line[] = [];
  for (const paragraph of text.split("\n")) {
    const isRightToLeft = startsRightToLeft(paragraph);
    for (const line of fillLines(piecesOf(paragraph), maxWidth, measure)) {
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

/** The width of the widest stretch that a line break may not part. */
export function widestPiece(text: string, measure: MeasureWidth): number {
  return Math.max(
    0,
    ...text.split("\n").flatMap((paragraph) => piecesOf(paragraph).map((piece) => measure(piece.trim()))),
  );
}

/** As much of a text as is no wider than `maxWidth` with the ellipsis it ends in. */
export function shorten(text: string, maxWidth: number, measure: MeasureWidth): string {
  const kept = splitGraphemes(text);
  const shortenTo = (count: number) => `${kept.slice(0, count).join("").trimEnd()}…`;
  return shortenTo(mostThatFit(kept.length, (count) => measure(shortenTo(count)) <= maxWidth));
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
  if (OPENING.test(before)) return false;
  if (EMOJI.test(segment)) return EMOJI.test(lastGrapheme(before)) || SPACELESS.test(before.slice(-1));
  if (!isWord) return false;
  if (/^\p{sc=Hiragana}/u.test(segment) && before.length + segment.length <= PHRASE_CHARACTERS) return false;
  return SPACELESS.test(before.slice(-1)) || SPACELESS.test(segment.slice(0, 1));
}

function* fillLines(pieces: string[], maxWidth: number, measure: MeasureWidth): Generator<string> {
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

/** Breaks a word wider than a line between graphemes, so that an emoji or an accented letter stays whole. */
function* splitTooWide(piece: string, maxWidth: number, measure: MeasureWidth): Generator<string> {
  if (measure(piece.trim()) <= maxWidth) {
    yield piece;
    return;
  }
  let rest = splitGraphemes(piece);
  while (rest.length > 0) {
    const fitting = mostThatFit(rest.length, (count) => measure(rest.slice(0, count).join("").trim()) <= maxWidth);
    // a single word wider than the line gets its own line
    const taken = Math.max(1, fitting);
    yield rest.slice(0, taken).join("");
    rest = rest.slice(taken);
  }
}

/** Returns the largest count up to `all` that fits, by bisection because measuring is slow. Fewer always fit too. */
function mostThatFit(all: number, isFitting: (count: number) => boolean): number {
  let [fitting, tooMany] = [0, all + 1];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (isFitting(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}

function lastGrapheme(text: string): string {
  return graphemes.segment(text).containing(text.length - 1)?.segment ?? "";
}

function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
