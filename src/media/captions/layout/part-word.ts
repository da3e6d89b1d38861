/** Parts a word that is wider than a line. Pure: how wide a text is comes from outside. */
import { splitGraphemes } from "../graphemes.ts";

/** Returns the width of a text in pixels. */
export type MeasureWidth = (text: string) => number;

/** Alphabets that mark a parted word with a hyphen. */
const HYPHENATED = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Georgian}]/u;
const VOWEL = /[aeiouyæøœαεηιουωаеёиоуыэюяіїє]/iu;
/** Written together for one sound. */
const TOGETHER = /^(?:ch|ck|gh|ng|ph|qu|sc|sh|sp|st|th|wh|br|cr|dr|fr|gr|kr|pr|tr|bl|cl|fl|gl|pl|sl)$/iu;
/** Letters of a word that stay together on either side of a break. */
const LEAST_LETTERS = 3;
/** How far back a better place is looked for. */
const MOST_LETTERS_BACK = 5;

/**
 * Yields the parts of a word, none wider than `maxWidth`. With `isHyphenated` they end in a hyphen where their alphabet has one, after a
 * syllable if possible.
 */
export function* partWord(
  word: string,
  { maxWidth, measure, isHyphenated }: { maxWidth: number; measure: MeasureWidth; isHyphenated: boolean },
): Generator<string> {
  let rest = splitGraphemes(word);
  while (rest.length > 0) {
    const lineOf = (count: number) =>
      rest.slice(0, count).join("").trim() + (isHyphenated && needsHyphen(rest, count) ? "-" : "");
    // one that is wider than the line gets its own line
    const most = Math.max(
      1,
      mostThatFit(rest.length, (count) => measure(lineOf(count)) <= maxWidth),
    );
    if (most === rest.length) {
      yield rest.join("");
      return;
    }
    const taken = isHyphenated ? betterPlace(rest, most) : most;
    yield lineOf(taken);
    rest = rest.slice(taken);
  }
}

/**
 * Returns the largest count up to `all` that fits, by doubling and then bisection because measuring is slow, and slower still for long
 * texts. Fewer always fit too.
 */
export function mostThatFit(all: number, isFitting: (count: number) => boolean): number {
  let [fitting, tooMany] = [0, Math.min(1, all + 1)];
  while (tooMany <= all && isFitting(tooMany)) {
    fitting = tooMany;
    tooMany = Math.min(2 * tooMany, all + 1);
  }
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (isFitting(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}

function needsHyphen(letters: readonly string[], count: number): boolean {
  const [before, after] = [letters[count - 1] ?? "", letters[count] ?? ""];
  return HYPHENATED.test(before) && HYPHENATED.test(after);
}

/** The end of a syllable, as far as vowels and consonants show it, a little before the most that fits. */
function betterPlace(letters: readonly string[], most: number): number {
  for (let count = most; count >= Math.max(LEAST_LETTERS, most - MOST_LETTERS_BACK); count--) {
    if (letters.length - count < LEAST_LETTERS) continue;
    if (!needsHyphen(letters, count) || endsSyllable(letters, count)) return count;
  }
  return most;
}

function endsSyllable(letters: readonly string[], count: number): boolean {
  const [before, next, second] = [letters[count - 1]!, letters[count]!, letters[count + 1] ?? ""];
  if (VOWEL.test(next)) return false;
  // a consonant before a vowel, or a pair of consonants before one, begins a syllable
  if (TOGETHER.test(before + next)) return false;
  return VOWEL.test(second) || TOGETHER.test(next + second);
}
