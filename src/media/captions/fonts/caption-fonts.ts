/** Caption fonts, bundled so that every machine draws captions identically. */
import { fileURLToPath } from "node:url";
import { hasCode } from "#ground/error-code.ts";
import { readCoverage } from "./character-map.ts";

/** A caption font. `leavesOut` matches characters in its file that other fonts draw. */
export type CaptionFont = {
  family: string;
  path: string;
  has: (codePoint: number) => boolean;
  leavesOut: ((codePoint: number) => boolean) | null;
};

type BundledFont = {
  family: string;
  file: string;
  isOptional?: boolean;
  leavesOut?: (codePoint: number) => boolean;
};

/** Emoji. Inter has plain glyphs for some, but readers expect color. */
const COLORED = /(?![\p{ASCII}©®™‼⁉↔-↙↩↪])\p{Emoji}/u;

const LATIN: BundledFont = {
  family: "Clipmill Caption",
  file: "inter/800ExtraBold/Inter_800ExtraBold.ttf",
  leavesOut: (codePoint) => COLORED.test(String.fromCodePoint(codePoint)),
};
const EMOJI: BundledFont = {
  family: "Clipmill Emoji",
  file: "noto-color-emoji/400Regular/NotoColorEmoji_400Regular.ttf",
};
const OPTIONAL = { isOptional: true };

/**
 * Fallback fonts in priority order. Han characters use Japanese glyphs in texts with kana, Korean glyphs in texts with
 * hangul, otherwise simplified Chinese glyphs. The SC font also has most symbols and is the last resort. Fonts after
 * Thai are optional packages.
 */
const SCRIPT_FONTS: (BundledFont & { script: RegExp })[] = [
  { ...noto("Arabic"), script: /\p{scx=Arabic}/u },
  { ...noto("Hebrew"), script: /\p{scx=Hebrew}/u },
  { ...noto("Devanagari"), script: /\p{scx=Devanagari}/u },
  { ...noto("Thai"), script: /\p{scx=Thai}/u },
  { ...noto("Bengali"), ...OPTIONAL, script: /\p{scx=Bengali}/u },
  { ...noto("Tamil"), ...OPTIONAL, script: /\p{scx=Tamil}/u },
  { ...noto("Telugu"), ...OPTIONAL, script: /\p{scx=Telugu}/u },
  { ...noto("Kannada"), ...OPTIONAL, script: /\p{scx=Kannada}/u },
  { ...noto("Gujarati"), ...OPTIONAL, script: /\p{scx=Gujarati}/u },
  { ...noto("Gurmukhi"), ...OPTIONAL, script: /\p{scx=Gurmukhi}/u },
  { ...noto("Georgian"), ...OPTIONAL, script: /\p{scx=Georgian}/u },
  { ...noto("Armenian"), ...OPTIONAL, script: /\p{scx=Armenian}/u },
  { ...noto("Ethiopic"), ...OPTIONAL, script: /\p{scx=Ethiopic}/u },
  { ...noto("Khmer"), ...OPTIONAL, script: /\p{scx=Khmer}/u },
  { ...noto("Lao"), ...OPTIONAL, script: /\p{scx=Lao}/u },
  { ...noto("Myanmar"), ...OPTIONAL, script: /\p{scx=Myanmar}/u },
  { ...noto("JP"), script: /[\p{sc=Hiragana}\p{sc=Katakana}]/u },
  { ...noto("KR"), script: /\p{sc=Hangul}/u },
  { ...noto("SC"), script: /[^]/u },
];

/** Cache of lookups by family; null if the package is not installed. */
const found = new Map<string, CaptionFont | null>();

/**
 * Returns the fonts for a text in priority order. Reads only their character maps. Throws if a required font is not
 * installed.
 */
export function fontsFor(text: string): CaptionFont[] {
  const [latin, emoji] = [findRequired(LATIN), findRequired(EMOJI)];
  let missing = [...new Set(text)].filter((character) => !hasCharacter([latin, emoji], character));
  const scriptFonts: CaptionFont[] = [];
  for (const font of SCRIPT_FONTS) {
    if (!missing.some((character) => font.script.test(character))) continue;
    const candidate = font.isOptional ? find(font) : findRequired(font);
    if (!candidate) continue;
    const left = missing.filter((character) => !hasCharacter([candidate], character));
    if (left.length < missing.length) scriptFonts.push(candidate);
    missing = left;
  }
  return [latin, ...scriptFonts, emoji];
}

/** Returns whether one of the fonts has the text's first character. */
export function hasCharacter(fonts: readonly CaptionFont[], character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  return fonts.some(({ has }) => has(codePoint));
}

function findRequired(font: BundledFont): CaptionFont {
  const required = find(font);
  if (!required) throw new Error(`The font ${font.file} is not installed.`);
  return required;
}

function find({ family, file, leavesOut }: BundledFont): CaptionFont | null {
  const known = found.get(family);
  if (known !== undefined) return known;
  const path = pathOf(file);
  const covers = path === null ? null : readCoverage(path);
  const has = (codePoint: number) => covers?.(codePoint) === true && !leavesOut?.(codePoint);
  const font = path === null ? null : { family, path, has, leavesOut: leavesOut ?? null };
  found.set(family, font);
  return font;
}

/** Returns null if the package is not installed. */
function pathOf(file: string): string | null {
  try {
    return fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}`));
  } catch (error) {
    if (hasCode(error, "ERR_MODULE_NOT_FOUND")) return null;
    throw error;
  }
}

function noto(script: string): BundledFont {
  const folder = `noto-sans-${script.toLowerCase()}/800ExtraBold`;
  return { family: `Clipmill ${script}`, file: `${folder}/NotoSans${script}_800ExtraBold.ttf` };
}
