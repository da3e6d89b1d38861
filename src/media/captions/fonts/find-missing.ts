import { fontsFor } from "./caption-fonts.ts";
import { isDrawable, makeDrawable } from "./drawable-text.ts";

/** Each character once; `texts` counts the affected texts, `first` is the index of the first one. */
export type MissingLetters = { characters: string[]; texts: number; first: number };

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
