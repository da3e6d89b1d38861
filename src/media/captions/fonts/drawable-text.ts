import type { CaptionFont } from "#contract/jobs/jobs.ts";
import { splitGraphemes } from "../graphemes.ts";
import { DEFAULT_FACE, type Face, type FontFile, fontsFor, hasCharacter, usableFont } from "./caption-fonts.ts";

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
  const fontsBefore = fontsFor(composed, { ...DEFAULT_FACE, language: face.language ?? null });
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

function isDrawable(character: string, fonts: readonly FontFile[]): boolean {
  return (
    FUNCTIONAL.test(character) || (!INVISIBLE.test(character) && (character === " " || hasCharacter(fonts, character)))
  );
}

/** Each character once; `texts` counts the affected texts, `first` is the index of the first one. */
type MissingLetters = { characters: string[]; texts: number; first: number };

const PLAIN = /^[ -~]*$/;
const MOST_CHARACTERS = 1_000;

const isKnownMissing = new Map<string, boolean>();

/** Returns up to 1,000 characters that no font can draw; null if there are none. */
export function findMissing(texts: readonly string[]): MissingLetters | null {
  const characters = new Set<string>();
  let [count, first] = [0, -1];
  for (const [i, text] of texts.entries()) {
    if (PLAIN.test(text)) continue;
    let isAnyMissing = false;
    for (const character of new Set(text.normalize("NFC"))) {
      if (!isMissing(character)) continue;
      isAnyMissing = true;
      if (characters.size >= MOST_CHARACTERS) break;
      characters.add(character);
    }
    if (!isAnyMissing) continue;
    if (first < 0) first = i;
    count++;
  }
  return count === 0 ? null : { characters: [...characters], texts: count, first };
}

function isMissing(character: string): boolean {
  let result = isKnownMissing.get(character);
  if (result === undefined) {
    result = !isDrawable(character, fontsFor(character)) && makeDrawable(character).missing.length > 0;
    isKnownMissing.set(character, result);
  }
  return result;
}

/** Stylistic Latin letters beyond those that Unicode decomposes (NFKC). */

const SMALL_CAPITALS = fold("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "ABCDEFGHIJKLMNOPQRSTUVWYZ");
/** White letters on black discs and squares. */
const ENCLOSED = new Map([
  ...fold(range(0x1_f1_50, 26), "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
  ...fold(range(0x1_f1_70, 26), "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
]);
/** Phonetic letters with hooks and tildes, and others used in decorated texts. */
const DECORATED = new Map([
  ...fold("ᶀᶁᶂᶃᶄᶅᶆᶇᶈᶉᶊᶌᶍᶎᶏᶑᶒᶖᶙ", "bdfgklmnprsvxzadeiu"),
  ...fold("ᵬᵭᵮᵯᵰᵱᵲᵴᵵᵶᵽ", "bdfmnprstzp"),
  ...fold("ⱠⱡⱢⱣⱤⱥⱦⱧⱨⱩⱪⱫⱬⱮⱱⱲⱳ", "LlLPRatHhKkZzMvWw"),
  ...fold("ꝀꝁꝂꝃꝄꝅꝈꝉꝊꝋꝌꝍꝐꝑꝒꝓꝖꝗꝘꝙꝞꝟ", "KkKkKkLlOoOoPpPpQqQqVv"),
  ...fold("ɕʑɽᴉᵷ", "czrig"),
]);
const DECORATION = /[\u0305\u0332-\u0338\u033F\u20D0-\u20F0]/gu;

const KINDS = [SMALL_CAPITALS, ENCLOSED, DECORATED];

/**
 * Replaces stylistic letters that cannot be drawn, together with all others of their kind, so that no word mixes both.
 * Words in small capitals become capitals.
 */
function makePlain(text: string, canDraw: (character: string) => boolean): string {
  let plain = text.replaceAll(DECORATION, (mark) => (canDraw(mark) ? mark : ""));
  for (const kind of KINDS) {
    if (!Array.from(plain).some((character) => kind.has(character) && !canDraw(character))) continue;
    plain = plain.replaceAll(/\S+/gu, (word) => {
      const characters = Array.from(word);
      if (!characters.some((character) => kind.has(character))) return word;
      const replaced = characters.map((character) => kind.get(character) ?? character).join("");
      // Small capitals have no x: a plain x stands for it.
      return kind === SMALL_CAPITALS ? replaced.toUpperCase() : replaced;
    });
  }
  return plain;
}

function fold(from: string, to: string): Map<string, string> {
  const plain = Array.from(to);
  return new Map(Array.from(from, (letter, i) => [letter, plain[i]!]));
}

function range(first: number, count: number): string {
  return String.fromCodePoint(...Array.from({ length: count }, (_, i) => first + i));
}
