import { splitGraphemes } from "../graphemes.ts";

/** A line break should not split it; if wider than a line, it may break between `parts`. */
export type Piece = { text: string; parts: string[] };

type Token = { text: string; isWord: boolean; isEmoji: boolean };

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/**
 * Scripts without spaces, where a line may end after any word. Excludes Burmese, which has some spaces and whose words
 * are hard to detect.
 */
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}ー々]/u;
const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;
const KATAKANA = /^[\p{sc=Katakana}ー]+$/u;
const ENDS_IN_KATAKANA = /[\p{sc=Katakana}ー]$/u;
const ENDS_IN_HAN = /[\p{sc=Han}々]+$/u;
const HAN = /^[\p{sc=Han}々]+$/u;
const HIRAGANA = /^\p{sc=Hiragana}+$/u;
const STEM = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}\p{Nd}\p{sc=Latin}ー々」』）]$/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;
const STARTS_OPENING = /^[\p{Ps}\p{Pi}]/u;
const ENDS_IN_CJK_SIGN = /[、。，．！？：；」』】）〉》…～]$/u;
/** Kinsoku: small kana, repetition and length marks and closing punctuation never start a line. */
const NEVER_FIRST =
  /^[\p{Pe}\p{Pf}、。，．！？：；・,.!?:;%‰…‥ーゝゞ々〻～〜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶๆฯ]/u;
/** Chinese particles stay with the preceding word. */
const PARTICLE = /^[的了着过過吗嗎呢吧啊呀嘛们們地得]$/u;
const EMOJI = /^(?:\p{Emoji_Presentation}|.\uFE0F)/u;

/** Japanese particles and endings stay with the preceding stem; they are short or listed here. */
const SHORT_ENDING = 2;
const LONG_ENDINGS = new Set(
  "でした ました ません まして でしょう ましょう だった なかった けれど けれども ながら くらい ぐらい ばかり らしい ください だけど ために ように ている ていた てみた たくて って から まで より だけ によると によって による として について という といった".split(
    " ",
  ),
);
/** Short Japanese words that are not endings. */
const SHORT_WORDS = new Set(
  "この その あの どの ここ そこ どこ もう まだ また すぐ なぜ どう とき こと もの ため あと はい もし".split(" "),
);
/** Longest run of Han characters kept together in Japanese. */
const COMPOUND_SIGNS = 4;
/** Smallest group in a run of emoji: a single one on a line looks lost. */
const EMOJI_TOGETHER = 2;
/** Most emoji attached to a piece, even across spaces. */
const MAX_TAKEN_ALONG = 3;

/** Breaks where readers of the script expect it. Spaces stay at the end of their piece. */
export function splitIntoPieces(paragraph: string): Piece[] {
  const isJapanese = KANA.test(paragraph);
  const pieces: Piece[] = [];
  for (const token of readTokens(paragraph)) {
    const before = pieces.at(-1);
    if (!before || mayBreakBetween(before.text, token, isJapanese)) {
      pieces.push({ text: token.text, parts: [token.text] });
      continue;
    }
    before.text += token.text;
    if (mayPartBefore(token)) before.parts.push(token.text);
    else before.parts[before.parts.length - 1] += token.text;
  }
  return pieces;
}

function mayBreakBetween(before: string, { text, isWord, isEmoji }: Token, isJapanese: boolean): boolean {
  if (/^\s/u.test(text)) return false;
  const emojiBefore = countEmoji(before);
  const isEmojiAlone = emojiBefore > 0 && before.replaceAll(/\s/gu, "") === onlyEmoji(before);
  if (isEmoji) return isEmojiAlone ? emojiBefore >= EMOJI_TOGETHER : emojiBefore >= MAX_TAKEN_ALONG;
  if (isEmojiAlone && emojiBefore <= MAX_TAKEN_ALONG) return false;
  if (/\s$/u.test(before)) return true;
  if (OPENING.test(before) || NEVER_FIRST.test(text)) return false;
  const isSpaceless = SPACELESS.test(before.slice(-1)) || SPACELESS.test(text.slice(0, 1));
  if (STARTS_OPENING.test(text)) return isSpaceless || ENDS_IN_CJK_SIGN.test(before);
  if (!isWord) return false;
  if (PARTICLE.test(text) || isCounted(before, text) || before.endsWith("第")) return false;
  if (HIRAGANA.test(text) && STEM.test(before) && isEnding(text)) return false;
  if (KATAKANA.test(text) && ENDS_IN_KATAKANA.test(before)) return false;
  if (isJapanese && HAN.test(text) && endingSigns(before) > 0)
    return endingSigns(before) + text.length > COMPOUND_SIGNS;
  return isSpaceless || ENDS_IN_CJK_SIGN.test(before);
}

/** A Chinese or Japanese counter after a number: 3個, 3个月. */
function isCounted(before: string, text: string): boolean {
  return HAN.test(text) && (/\p{Nd}$/u.test(before) || (text.length === 1 && /\p{Nd}\p{sc=Han}$/u.test(before)));
}

function isEnding(text: string): boolean {
  return text.length <= SHORT_ENDING ? !SHORT_WORDS.has(text) : LONG_ENDINGS.has(text);
}

function endingSigns(text: string): number {
  return ENDS_IN_HAN.exec(text)?.[0].length ?? 0;
}

function mayPartBefore({ text, isWord, isEmoji }: Token): boolean {
  return (isWord || isEmoji || STARTS_OPENING.test(text)) && !NEVER_FIRST.test(text);
}

/** Consecutive emoji form groups of two or three. */
function readTokens(paragraph: string): Token[] {
  const tokens: Token[] = [];
  let run: string[] = [];
  const endRun = (): void => {
    while (run.length > 0) {
      const isLast = run.length < 2 * EMOJI_TOGETHER;
      tokens.push({ text: run.splice(0, isLast ? run.length : EMOJI_TOGETHER).join(""), isWord: false, isEmoji: true });
    }
  };
  for (const { segment, isWordLike } of words.segment(paragraph)) {
    if (EMOJI.test(segment)) {
      run.push(segment);
      continue;
    }
    endRun();
    tokens.push({ text: segment, isWord: isWordLike === true, isEmoji: false });
  }
  endRun();
  return tokens;
}

function onlyEmoji(text: string): string {
  return splitGraphemes(text)
    .filter((grapheme) => EMOJI.test(grapheme))
    .join("");
}

function countEmoji(text: string): number {
  if (!/\p{Emoji_Presentation}|\uFE0F/u.test(text)) return 0;
  return splitGraphemes(text).filter((grapheme) => EMOJI.test(grapheme)).length;
}

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
