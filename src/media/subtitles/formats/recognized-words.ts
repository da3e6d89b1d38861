import { toMilliseconds } from "#contract/transcripts/spread-words.ts";

type RecognizedWord = { word: string; start: number; end: number; probability?: number | null | undefined };
type RecognizedSegment = { start: number; end: number; avg_logprob?: number | null | undefined };

/** Further apart, a listed word does not match the one in the text. */
const MOST_LETTERS_BETWEEN = 40;

/** Gives words the punctuation and the spaces of the text: servers leave both out of their lists of words. */
export function withPunctuation(words: readonly RecognizedWord[], text: string): RecognizedWord[] {
  const lower = text.toLowerCase();
  const found: { word: RecognizedWord; from: number; to: number }[] = [];
  let at = 0;
  for (const word of words) {
    const core = word.word.trim();
    const place = core === "" ? -1 : lower.indexOf(core.toLowerCase(), at);
    const isNear = place >= 0 && place - at <= MOST_LETTERS_BETWEEN;
    const from = isNear ? place : at;
    const to = isNear ? place + core.length : at;
    if (isNear) at = to;
    found.push({ word, from, to });
  }
  return found.map(({ word: { word, ...times }, from, to }, i) => {
    if (from === to) return Object.assign(times, { word: ` ${word.trim()}` });
    const before = found.slice(0, i).findLast((one) => one.to > one.from)?.to ?? 0;
    const after = found.slice(i + 1).find((one) => one.to > one.from)?.from ?? text.length;
    const leading = /\S*$/u.exec(text.slice(before, from))![0];
    const trailing = /^\S*/u.exec(text.slice(to, after))![0];
    // Without a space between, punctuation belongs to the word before.
    const isApart = i === 0 || /\s/u.test(text.slice(before, from));
    const own = `${isApart ? leading : ""}${text.slice(from, to)}${trailing}`;
    return Object.assign(times, { word: isApart ? ` ${own}` : own });
  });
}

/** Of a word, or else of its segment. */
export function confidenceOf(
  word: Omit<RecognizedWord, "word">,
  segments: readonly RecognizedSegment[],
): number | undefined {
  const middle = (word.start + word.end) / 2;
  const segment = segments.find(({ start, end }) => middle >= start && middle <= end);
  const known = word.probability ?? (segment?.avg_logprob == null ? null : Math.exp(segment.avg_logprob));
  return known === null || !Number.isFinite(known) ? undefined : toMilliseconds(Math.min(1, Math.max(0, known)));
}
