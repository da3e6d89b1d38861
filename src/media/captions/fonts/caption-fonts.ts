/** Bundled, so that every machine draws captions identically. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GlobalFonts } from "@napi-rs/canvas";
import type { CaptionFont, CaptionWeight } from "#contract/jobs/jobs.ts";
import { hasCode } from "#ground/error-code.ts";
import { readCoverage, removeCharacters } from "./character-map.ts";
import FONT_WEIGHTS from "./font-weights.json" with { type: "json" };

/** The language chooses the glyphs of Han characters; null or absent: the text's other letters do. */
export type Face = { font: CaptionFont; weight: CaptionWeight; language?: string | null };

/** `leavesOut` matches characters of the file that other fonts draw. */
export type FontFile = {
  family: string;
  path: string;
  has: (codePoint: number) => boolean;
  leavesOut: ((codePoint: number) => boolean) | null;
};

type BundledFont = {
  family: string;
  file: string;
  leavesOut?: (codePoint: number) => boolean;
};

/** Inter has plain glyphs for some emoji, but readers expect color. */
const COLORED = /(?![\p{ASCII}©®™‼⁉↔-↙↩↪])\p{Emoji}/u;

/** For Latin, Greek and Cyrillic; only `sans` has all their letters. */
const FACES: Record<CaptionFont, keyof typeof FONT_WEIGHTS> = {
  sans: "inter",
  condensed: "oswald",
  rounded: "nunito",
  serif: "lora",
};
export const DEFAULT_FACE: Face = { font: "sans", weight: "bold" };
const EMOJI: BundledFont = {
  family: "Clipmill Emoji",
  file: fileOf("noto-color-emoji", "NotoColorEmoji", FONT_WEIGHTS["noto-color-emoji"].bold),
};
const OPTIONAL = { isOptional: true };
const LETTER = /[\p{L}\p{M}\p{N}]/u;
const HAN = /\p{sc=Han}/u;

/**
 * Fallback fonts by priority. Without a language, Han characters get Japanese glyphs in texts with kana, Korean with
 * hangul, otherwise simplified Chinese. The SC font, the last resort, also has most symbols. Fonts after Thai are optional packages.
 */
const SCRIPT_FONTS: { name: string; isOptional?: boolean; script: RegExp }[] = [
  { name: "Arabic", script: /\p{scx=Arabic}/u },
  { name: "Hebrew", script: /\p{scx=Hebrew}/u },
  { name: "Devanagari", script: /\p{scx=Devanagari}/u },
  { name: "Thai", script: /\p{scx=Thai}/u },
  { name: "Bengali", ...OPTIONAL, script: /\p{scx=Bengali}/u },
  { name: "Tamil", ...OPTIONAL, script: /\p{scx=Tamil}/u },
  { name: "Telugu", ...OPTIONAL, script: /\p{scx=Telugu}/u },
  { name: "Kannada", ...OPTIONAL, script: /\p{scx=Kannada}/u },
  { name: "Gujarati", ...OPTIONAL, script: /\p{scx=Gujarati}/u },
  { name: "Gurmukhi", ...OPTIONAL, script: /\p{scx=Gurmukhi}/u },
  { name: "Georgian", ...OPTIONAL, script: /\p{scx=Georgian}/u },
  { name: "Armenian", ...OPTIONAL, script: /\p{scx=Armenian}/u },
  { name: "Ethiopic", ...OPTIONAL, script: /\p{scx=Ethiopic}/u },
  { name: "Khmer", ...OPTIONAL, script: /\p{scx=Khmer}/u },
  { name: "Lao", ...OPTIONAL, script: /\p{scx=Lao}/u },
  { name: "Myanmar", ...OPTIONAL, script: /\p{scx=Myanmar}/u },
  { name: "JP", script: /[\p{sc=Hiragana}\p{sc=Katakana}]/u },
  { name: "KR", script: /\p{sc=Hangul}/u },
  { name: "SC", script: /[^]/u },
];

/** By language; others use the SC font. */
const HAN_FONTS: Readonly<Record<string, string>> = { ja: "JP", ko: "KR", zh: "SC" };

const found = new Map<string, FontFile | null>();

/** Returns fonts by priority. Reads only their character maps. Throws if a required font is not installed. */
export function fontsFor(text: string, { font, weight, language = null }: Face = DEFAULT_FACE): FontFile[] {
  const latin = [...new Set([font, "sans"] as const)].map((name) => findRequired(faceOf(name, weight)));
  const emoji = findRequired(EMOJI);
  let missing = [...new Set(text)].filter((character) => !hasCharacter([...latin, emoji], character));
  const scriptFonts: FontFile[] = [];
  for (const { name, script, isOptional } of inOrderOf(language)) {
    if (!missing.some((character) => script.test(character))) continue;
    const candidate = isOptional ? find(noto(name, weight)) : findRequired(noto(name, weight));
    if (!candidate) continue;
    const left = missing.filter((character) => !hasCharacter([candidate], character));
    if (left.length < missing.length) scriptFonts.push(candidate);
    missing = left;
  }
  return [...latin, ...scriptFonts, emoji];
}

/** The language's own glyphs for Han characters come first. */
function inOrderOf(language: string | null): typeof SCRIPT_FONTS {
  const own = language === null ? undefined : HAN_FONTS[new Intl.Locale(language).language];
  return own === undefined ? SCRIPT_FONTS : [{ name: own, script: HAN }, ...SCRIPT_FONTS];
}

/**
 * Returns `sans` if the chosen font has none of the letters, or lacks one that `sans` has: no word should mix fonts.
 */
export function usableFont(text: string, { font, weight }: Face): CaptionFont {
  if (font === "sans") return font;
  const [chosen, sans] = [findRequired(faceOf(font, weight)), findRequired(faceOf("sans", weight))];
  const letters = [...new Set(text)].filter((character) => LETTER.test(character));
  const drawn = letters.filter((letter) => hasCharacter([chosen], letter));
  return drawn.length > 0 && letters.every((letter) => drawn.includes(letter) || !hasCharacter([sans], letter))
    ? font
    : "sans";
}

export function hasCharacter(fonts: readonly FontFile[], character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  return fonts.some(({ has }) => has(codePoint));
}

function findRequired(font: BundledFont): FontFile {
  const required = find(font);
  if (!required) throw new Error(`The font ${font.file} is not installed.`);
  return required;
}

function find({ family, file, leavesOut }: BundledFont): FontFile | null {
  const known = found.get(family);
  if (known !== undefined) return known;
  const path = pathOf(file);
  const covers = path === null ? null : readCoverage(path);
  const has = (codePoint: number) => covers?.(codePoint) === true && !leavesOut?.(codePoint);
  const font = path === null ? null : { family, path, has, leavesOut: leavesOut ?? null };
  found.set(family, font);
  return font;
}

function pathOf(file: string): string | null {
  try {
    return fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}`));
  } catch (error) {
    if (hasCode(error, "ERR_MODULE_NOT_FOUND")) return null;
    throw error;
  }
}

function faceOf(font: CaptionFont, weight: CaptionWeight): BundledFont {
  const name = FACES[font];
  return {
    family: weight === "bold" && font === "sans" ? "Clipmill Caption" : `Clipmill Caption ${font} ${weight}`,
    file: fileOf(name, name.charAt(0).toUpperCase() + name.slice(1), FONT_WEIGHTS[name][weight]),
    leavesOut: (codePoint) => COLORED.test(String.fromCodePoint(codePoint)),
  };
}

function noto(script: string, weight: CaptionWeight): BundledFont {
  return {
    family: weight === "bold" ? `Clipmill ${script}` : `Clipmill ${script} ${weight}`,
    file: fileOf(`noto-sans-${script.toLowerCase()}`, `NotoSans${script}`, FONT_WEIGHTS["noto-sans"][weight]),
  };
}

function fileOf(packageName: string, fontName: string, weight: string): string {
  return `${packageName}/${weight}/${fontName}_${weight}.ttf`;
}

const registered = new Set<string>();

export function registerFonts(fonts: readonly FontFile[]): void {
  for (const { family, path, leavesOut } of fonts) {
    if (registered.has(family)) continue;
    const key = leavesOut
      ? GlobalFonts.register(removeCharacters(readFileSync(path), leavesOut), family)
      : GlobalFonts.registerFromPath(path, family);
    if (!key) throw new Error(`The font ${path} cannot be read.`);
    registered.add(family);
  }
}
