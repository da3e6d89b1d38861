import { splitGraphemes } from "../graphemes.ts";

export type MeasureWidth = (text: string) => number;

const HYPHENATED = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Georgian}]/u;
const VOWEL = /[aeiouyæøœαεηιουωаеёиоуыэюяіїє]/iu;
const CLUSTER = /^(?:ch|ck|gh|ng|ph|qu|sc|sh|sp|st|th|wh|br|cr|dr|fr|gr|kr|pr|tr|bl|cl|fl|gl|pl|sl)$/iu;
const MIN_LETTERS = 3;
/** To search back for a better break. */
const MAX_LETTERS_BACK = 5;

/** With `isHyphenated`, parts end after a syllable if possible, with a hyphen if their alphabet uses one. */
export function* splitWord(
  word: string,
  { maxWidth, measure, isHyphenated }: { maxWidth: number; measure: MeasureWidth; isHyphenated: boolean },
): Generator<string> {
  let rest = splitGraphemes(word);
  while (rest.length > 0) {
    const lineOf = (count: number) =>
      rest.slice(0, count).join("").trim() + (isHyphenated && needsHyphen(rest, count) ? "-" : "");
    // A grapheme wider than the line gets its own line.
    const most = Math.max(
      1,
      maxFittingCount(rest.length, (count) => measure(lineOf(count)) <= maxWidth),
    );
    if (most === rest.length) {
      yield rest.join("");
      return;
    }
    const taken = isHyphenated ? findBreak(rest, most) : most;
    yield lineOf(taken);
    rest = rest.slice(taken);
  }
}

/**
 * Returns the largest fitting count; all smaller counts must fit. Doubles, then bisects, because measuring long texts
 * is slow.
 */
export function maxFittingCount(all: number, isFitting: (count: number) => boolean): number {
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

/** Returns the end of a syllable shortly before `most`; otherwise `most`. */
function findBreak(letters: readonly string[], most: number): number {
  for (let count = most; count >= Math.max(MIN_LETTERS, most - MAX_LETTERS_BACK); count--) {
    if (letters.length - count < MIN_LETTERS) continue;
    if (!needsHyphen(letters, count) || endsSyllable(letters, count)) return count;
  }
  return most;
}

function endsSyllable(letters: readonly string[], count: number): boolean {
  const [before, next, second] = [letters[count - 1]!, letters[count]!, letters[count + 1] ?? ""];
  if (VOWEL.test(next)) return false;
  // A consonant or consonant pair before a vowel starts a syllable.
  if (CLUSTER.test(before + next)) return false;
  return VOWEL.test(second) || CLUSTER.test(next + second);
}
