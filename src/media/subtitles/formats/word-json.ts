/** Words as JSON: a list, or a response of a transcription service (`verbose_json`, with words, segments or both). */
import { toMilliseconds } from "#contract/transcripts/spread-words.ts";
import { type SpokenLine, spreadWords, type Word } from "../transcript.ts";
import { tidyText } from "./plain-text.ts";
import { subtitleError } from "./subtitle-error.ts";

type Timed = { text: string; startSeconds: number | null; endSeconds: number | null; confidence?: number };

/** A longer pause starts a new line, as does a word after the end of a sentence. */
const PAUSE_SECONDS = 0.7;
const ENDS_SENTENCE = /[.!?…。！？।؟]["'»”’)\]]?$/u;
const SPACELESS_END =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}、。，．！？：；」』）]$/u;

/** Throws ClipmillError "bad_subtitles" for another JSON, and for a word without a text. */
export function readWordJson(content: unknown): SpokenLine[] {
  const { words, segments } = listsIn(content);
  const own = segments?.map((segment) => Object.assign(timedOf(segment, "segment"), { words: wordsOf(segment) })) ?? [];
  if (words && words.length > 0) return inSegments(withTimes(words.map((word) => timedOf(word, "word"))), own);
  return own.flatMap(({ words: spoken, text, startSeconds, endSeconds }): SpokenLine[] => {
    if (spoken.length > 0) return toLine(withTimes(spoken));
    if (startSeconds === null || endSeconds === null) throw subtitleError("has a segment without a start and an end");
    const plain = tidyText(text);
    const marks = [
      { at: 0, seconds: startSeconds },
      { at: plain.length, seconds: endSeconds },
    ] as const;
    const spread = spreadWords(plain, [...marks]);
    return spread ? [{ startSeconds, endSeconds, words: spread }] : [];
  });
}

function listsIn(content: unknown): { words: unknown[] | null; segments: unknown[] | null } {
  if (Array.isArray(content)) {
    const hasTexts = content.every((item) => isRecord(item) && Array.isArray(item.words));
    return hasTexts && content.length > 0 ? { words: null, segments: content } : { words: content, segments: null };
  }
  const { words, segments } = isRecord(content) ? content : {};
  if (!Array.isArray(words) && !Array.isArray(segments)) throw subtitleError("has neither words nor segments");
  return { words: Array.isArray(words) ? words : null, segments: Array.isArray(segments) ? segments : null };
}

function wordsOf(segment: unknown): Timed[] {
  return isRecord(segment) && Array.isArray(segment.words) ? segment.words.map((word) => timedOf(word, "word")) : [];
}

function timedOf(item: unknown, what: "word" | "segment"): Timed {
  const { text, word, start, end, confidence, probability, score } = isRecord(item) ? item : {};
  const found = typeof word === "string" ? word : text;
  if (typeof found !== "string") throw subtitleError(`has a ${what} without a text`);
  const likelihood = [confidence, probability, score].find((one) => typeof one === "number" && one >= 0 && one <= 1);
  const times = { startSeconds: timeIn(start), endSeconds: timeIn(end) };
  return { text: found, ...times, ...(typeof likelihood === "number" && { confidence: likelihood }) };
}

function timeIn(value: unknown): number | null {
  const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof seconds === "number" && Number.isFinite(seconds) ? toMilliseconds(Math.max(0, seconds)) : null;
}

/** Some services give numbers and signs no times: these follow the word before, and last until the next one. */
function withTimes(words: readonly Timed[]): Word[] {
  const hasOwnSpaces = words.some(({ text }) => text !== text.trim());
  const known = words.filter(({ text }) => text.trim() !== "");
  if (known.every(({ startSeconds }) => startSeconds === null)) throw subtitleError("has no word with a start");
  let at = 0;
  const timed = known.map(({ text, startSeconds, endSeconds, confidence }): Word => {
    const start = Math.max(at, startSeconds ?? at);
    at = Math.max(start, endSeconds ?? start);
    const word: Word = { text, startSeconds: start, endSeconds: at };
    if (confidence !== undefined) word.confidence = confidence;
    return word;
  });
  const spaced = timed.map((word, i) => {
    const next = timed[i + 1];
    const isShort = word.endSeconds === word.startSeconds && next !== undefined;
    const plain = word.text.trim().replaceAll(/\s+/gu, " ");
    const isGlued = hasOwnSpaces
      ? !/\s$/u.test(word.text) && !/^\s/u.test(next?.text ?? "")
      : SPACELESS_END.test(plain) || /^\p{P}+$/u.test(next?.text ?? "");
    const endSeconds = isShort ? next.startSeconds : word.endSeconds;
    return Object.assign(word, { text: next && !isGlued ? `${plain} ` : plain, endSeconds });
  });
  return joinParts(spaced);
}

/** Some models give parts of words. */
function joinParts(words: readonly Word[]): Word[] {
  const joined: Word[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    const isPart = before && !/\s$/u.test(before.text) && !SPACELESS_END.test(before.text);
    if (isPart) joined[joined.length - 1] = { ...before, text: before.text + word.text, endSeconds: word.endSeconds };
    else joined.push(word);
  }
  return joined;
}

/** The segments only say where lines end; without any, sentences and pauses do. */
function inSegments(words: readonly Word[], segments: readonly Timed[]): SpokenLine[] {
  const ends = segments.flatMap(({ endSeconds }) => endSeconds ?? []);
  const lines: Word[][] = [];
  let segment = 0;
  for (const [i, word] of words.entries()) {
    const before = words[i - 1];
    const at = segment;
    while (segment < ends.length - 1 && (word.startSeconds + word.endSeconds) / 2 > ends[segment]!) segment++;
    const isPause = before !== undefined && word.startSeconds - before.endSeconds >= PAUSE_SECONDS;
    const isSentence = before !== undefined && ENDS_SENTENCE.test(before.text.trim());
    const isNew = ends.length > 0 ? segment > at : isPause || isSentence;
    if (i === 0 || isNew) lines.push([word]);
    else lines.at(-1)!.push(word);
  }
  return lines.flatMap(toLine);
}

function toLine(words: readonly Word[]): SpokenLine[] {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return [];
  const trimmed = [...words.slice(0, -1), { ...last, text: last.text.trimEnd() }];
  return [{ startSeconds: first.startSeconds, endSeconds: last.endSeconds, words: trimmed }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
