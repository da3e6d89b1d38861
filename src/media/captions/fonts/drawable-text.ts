/** What of a text can be drawn: no character is left that would show as an empty box. */
import { type CaptionFont, fontsFor, hasCharacter } from "./caption-fonts.ts";
import { splitGraphemes } from "../graphemes.ts";
import { makePlain } from "./stylistic-letters.ts";

export type DrawableText = {
  text: string;
  /** In the order in which a canvas is to ask them. */
  fonts: CaptionFont[];
  /** Visible characters that are left out because no font has them, each once, with their accents. */
  missing: string[];
};

/** Joiners, the choice of an emoji's colours, directions, and the letters in flags: seen in what they do. */
const WORKING = /[\u200C-\u200F\u2066-\u2069]|\u061C|\uFE0F|[\u{E0020}-\u{E007F}]/u;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Co}\p{Cn}\p{Cs}]/u;
/** What nobody sees anywhere; no one misses it. */
const BLANK = /[\p{Default_Ignorable_Code_Point}\p{Cc}\s]/u;

/**
 * The text with what no bundled font has replaced by its plain form ("𝓗" by "H", "ꜰ" by "F") or, where it has none, left out.
 * Line breaks stay; other spaces become plain ones.
 */
export function makeDrawable(text: string): DrawableText {
  const composed = text.normalize("NFC");
  const fontsBefore = fontsFor(composed);
  const plain = makePlain(composed, (character) => isDrawable(character, fontsBefore));
  const kept = splitGraphemes(plain);
  const fonts = plain === composed ? fontsBefore : fontsFor(plain);
  const missing = new Set<string>();
  const drawn = kept.map((grapheme) => {
    const left = replace(grapheme, fonts);
    if (isPartMissing(grapheme, left)) missing.add(grapheme);
    return left;
  });
  const lines = drawn
    .join("")
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/u)
    .map((line) => line.replaceAll(/\s+/gu, " ").trim());
  return { text: lines.join("\n"), fonts, missing: [...missing] };
}

/** True when what is left of a grapheme is less than its plain form. */
function isPartMissing(grapheme: string, left: string): boolean {
  if (left === grapheme) return false;
  return countVisible(left) < countVisible(grapheme);
}

function countVisible(text: string): number {
  return Array.from(text).filter((character) => !BLANK.test(character)).length;
}

function replace(grapheme: string, fonts: readonly CaptionFont[]): string {
  if (/^\s+$/u.test(grapheme)) return grapheme;
  const isWhole = Array.from(grapheme).every((character) => isDrawable(character, fonts));
  const plain = isWhole ? grapheme : grapheme.normalize("NFKC");
  return Array.from(plain, (character) => (isDrawable(character, fonts) ? character : "")).join("");
}

/** Returns whether a character is drawn as it is, or has an effect on those beside it. */
export function isDrawable(character: string, fonts: readonly CaptionFont[]): boolean {
  return WORKING.test(character) || (!UNSEEN.test(character) && (character === " " || hasCharacter(fonts, character)));
}
