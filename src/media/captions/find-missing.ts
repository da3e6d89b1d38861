import { makeDrawable } from "./drawable-text.ts";

/** What of some texts no font has: each character once, in how many of the texts, and the index of the first. */
export type MissingLetters = { characters: string[]; texts: number; first: number };

const PLAIN = /^[ -~]*$/;

/** Characters that have been looked up; there are no more than Unicode has. */
const isKnownMissing = new Map<string, boolean>();

/** Finds the characters that captions would be drawn without; null when there are none. Looks at each character only once. */
export function findMissing(texts: readonly string[]): MissingLetters | null {
  const characters = new Set<string>();
  let [count, first] = [0, -1];
  for (const [i, text] of texts.entries()) {
    if (PLAIN.test(text)) continue;
    const missing = [...new Set(text.normalize("NFC"))].filter(isMissing);
    if (missing.length === 0) continue;
    for (const character of missing) characters.add(character);
    if (first < 0) first = i;
    count++;
  }
  return count === 0 ? null : { characters: [...characters], texts: count, first };
}

function isMissing(character: string): boolean {
  let result = isKnownMissing.get(character);
  if (result === undefined) {
    result = makeDrawable(character).missing.length > 0;
    isKnownMissing.set(character, result);
  }
  return result;
}
