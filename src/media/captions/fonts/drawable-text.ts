import type { CaptionFont } from "#contract/jobs/jobs.ts";
import { DEFAULT_FACE, type Face, type FontFile, fontsFor, hasCharacter, usableFont } from "./caption-fonts.ts";
import { splitGraphemes } from "../graphemes.ts";
import { makePlain } from "./stylistic-letters.ts";

export type DrawableText = {
  text: string;
  font: CaptionFont;
  fonts: FontFile[];
  /** Visible characters that no font has: each once, with its accents. */
  missing: string[];
};

/** Invisible characters with a visible effect: joiners, emoji variation selectors, text directions and flag tags. */
const FUNCTIONAL = /[\u200C-\u200F\u2066-\u2069]|\u061C|\uFE0F|[\u{E0020}-\u{E007F}]/u;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Co}\p{Cn}\p{Cs}]/u;
/** `\s` has U+FEFF, but not the line break U+0085. */
const SPACE = /^[\s\u0085]+$/u;
/** Invisible everywhere, so never missing. */
const BLANK = /[\p{Default_Ignorable_Code_Point}\p{Cc}\s]/u;

/**
 * Replaces characters that no font has by their plain form ("𝓗" by "H", "ꜰ" by "F"), or removes them. Keeps line
 * breaks; other whitespace becomes plain spaces.
 */
export function makeDrawable(text: string, face: Face = DEFAULT_FACE): DrawableText {
  const composed = text.normalize("NFC");
  const fontsBefore = fontsFor(composed);
  const plain = makePlain(composed, (character) => isDrawable(character, fontsBefore));
  const kept = splitGraphemes(plain);
  const font = usableFont(plain.normalize("NFKC"), face);
  const isUnchanged = plain === composed && font === DEFAULT_FACE.font && face.weight === DEFAULT_FACE.weight;
  const fonts = isUnchanged ? fontsBefore : fontsFor(plain, { ...face, font });
  const missing = new Set<string>();
  const drawn = kept.map((grapheme) => {
    const replacement = replace(grapheme, fonts);
    if (isPartMissing(grapheme, replacement)) missing.add(grapheme);
    return replacement;
  });
  const lines = drawn
    .join("")
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/u)
    .map((line) => line.replaceAll(/\s+/gu, " ").trim());
  return { text: lines.join("\n").trim(), font, fonts, missing: [...missing] };
}

function isPartMissing(grapheme: string, replacement: string): boolean {
  if (replacement === grapheme) return false;
  return countVisible(replacement) < countVisible(grapheme);
}

function countVisible(text: string): number {
  return Array.from(text).filter((character) => !BLANK.test(character)).length;
}

function replace(grapheme: string, fonts: readonly FontFile[]): string {
  if (SPACE.test(grapheme)) return grapheme;
  const isFullyDrawable = Array.from(grapheme).every((character) => isDrawable(character, fonts));
  const plain = isFullyDrawable ? grapheme : grapheme.normalize("NFKC");
  return Array.from(plain, (character) => (isDrawable(character, fonts) ? character : "")).join("");
}

export function isDrawable(character: string, fonts: readonly FontFile[]): boolean {
  return (
    FUNCTIONAL.test(character) || (!INVISIBLE.test(character) && (character === " " || hasCharacter(fonts, character)))
  );
}
