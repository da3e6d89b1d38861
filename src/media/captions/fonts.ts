/** The fonts that captions are drawn with: bundled, so that every machine draws the same. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GlobalFonts } from "@napi-rs/canvas";
import { leaveOutCharacters, readCoverage } from "./character-map.ts";

type Font = { family: string; file: string };

/** A font as far as it is known: which characters it has. */
export type LoadedFont = { family: string; has: (codePoint: number) => boolean };

const LATIN: Font = { family: "Clipmill Caption", file: "inter/800ExtraBold/Inter_800ExtraBold.ttf" };
const EMOJI: Font = { family: "Clipmill Emoji", file: "noto-color-emoji/400Regular/NotoColorEmoji_400Regular.ttf" };

/**
 * In the order in which they are asked for a character that the two above lack. Chinese signs are drawn the Japanese way
 * where there is kana, the Korean way where there is hangul, else the simplified Chinese way; that font, with most symbols, is
 * the last resort for anything.
 */
const OF_SCRIPTS: (Font & { script: RegExp })[] = [
  { ...noto("Arabic"), script: /\p{scx=Arabic}/u },
  { ...noto("Hebrew"), script: /\p{scx=Hebrew}/u },
  { ...noto("Devanagari"), script: /\p{scx=Devanagari}/u },
  { ...noto("Thai"), script: /\p{scx=Thai}/u },
  { ...noto("JP"), script: /[\p{sc=Hiragana}\p{sc=Katakana}]/u },
  { ...noto("KR"), script: /\p{sc=Hangul}/u },
  { ...noto("SC"), script: /[^]/u },
];

/** Inter has these too, as plain signs: hearts, suns and the like are expected in colour. */
const COLOURED = /(?![\p{ASCII}©®™‼⁉↔-↙↩↪])\p{Emoji}/u;

const loaded = new Map<string, LoadedFont>();

/** The fonts a text needs, in the order in which a canvas asks them. Loads what no text has needed before. */
export function fontsFor(text: string): LoadedFont[] {
  const [latin, emoji] = [load(LATIN), load(EMOJI)];
  let missing = [...new Set(text)].filter((character) => !hasCharacter([latin, emoji], character));
  const ofScripts: LoadedFont[] = [];
  for (const font of OF_SCRIPTS) {
    if (!missing.some((character) => font.script.test(character))) continue;
    const candidate = load(font);
    const left = missing.filter((character) => !hasCharacter([candidate], character));
    if (left.length < missing.length) ofScripts.push(candidate);
    missing = left;
  }
  return [latin, ...ofScripts, emoji];
}

/** True when one of the fonts has the first character of a text. */
export function hasCharacter(fonts: readonly LoadedFont[], character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  return fonts.some(({ has }) => has(codePoint));
}

function load(font: Font): LoadedFont {
  const known = loaded.get(font.family);
  if (known) return known;
  const path = fileURLToPath(import.meta.resolve(`@expo-google-fonts/${font.file}`));
  const covers = readCoverage(path);
  let has = covers;
  let key: unknown;
  if (font === LATIN) {
    const isLeftOut = (codePoint: number) => COLOURED.test(String.fromCodePoint(codePoint));
    has = (codePoint) => covers(codePoint) && !isLeftOut(codePoint);
    key = GlobalFonts.register(leaveOutCharacters(readFileSync(path), isLeftOut), font.family);
  } else {
    key = GlobalFonts.registerFromPath(path, font.family);
  }
  if (!key) throw new Error(`The font ${font.file} cannot be read.`);
  const result = { family: font.family, has };
  loaded.set(font.family, result);
  return result;
}

function noto(script: string): Font {
  const folder = `noto-sans-${script.toLowerCase()}/800ExtraBold`;
  return { family: `Clipmill ${script}`, file: `${folder}/NotoSans${script}_800ExtraBold.ttf` };
}
