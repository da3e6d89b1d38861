/** Commands on lines. Each returns its patches, or null if there is nothing to change. */
import { spreadPieces } from "#contract/transcripts/spread-words.ts";
import { TRANSCRIPT_LIMITS, type TranscriptLine, type TranscriptWord } from "#contract/transcripts/transcripts.ts";
import type { Lines, Patch, Patches } from "./patches.ts";

/** A word by its line's and its own index. */
export type Place = { line: number; word: number };

/** The patches of a command, and the word that is selected after it. */
export type Change = { patches: Patches; place: Place };

/**
 * Replaces a word's text. Several words share its time by letters. Empty text removes the word, and a line left without words.
 */
export function retypeWord(lines: Lines, { line, word }: Place, typed: string): Change | null {
  const words = lines[line]?.words;
  const old = words?.[word];
  if (!words || !old || typed.trim().replaceAll(/\s+/gu, " ") === old.text.trim()) return null;
  const retyped = retypeWords([old], typed);
  const place = { line, word: word + Math.max(0, retyped.length - 1) };
  return changeLine(lines, place, words.toSpliced(word, 1, ...retyped));
}

/**
 * Gives words another text, in the time of the old ones: each word keeps its own time if the count stays the same. Corrected
 * words have no confidence.
 */
export function retypeWords(old: readonly TranscriptWord[], typed: string): TranscriptWord[] {
  const last = old.at(-1)!;
  const pieces = typed.trim().match(/\S+\s*/gu) ?? [];
  const times = pieces.length === old.length ? old.map(timesOf) : spread(old, pieces);
  const after = last.text.slice(last.text.trimEnd().length);
  const isHidden = old.every(({ hidden }) => hidden);
  return pieces.map((piece, i) => {
    const text = piece.trimEnd().slice(0, TRANSCRIPT_LIMITS.wordCharacters);
    const { startSeconds, endSeconds } = times[i]!;
    const word: TranscriptWord = { text: text + (i === pieces.length - 1 ? after : " "), startSeconds, endSeconds };
    const kept = old.find((one) => one.text.trim() === text)?.confidence;
    if (kept !== undefined) word.confidence = kept;
    if (isHidden) word.hidden = true;
    return word;
  });
}

type Times = Pick<TranscriptWord, "startSeconds" | "endSeconds">;

function timesOf({ startSeconds, endSeconds }: Times): Times {
  return { startSeconds, endSeconds };
}

function spread(old: readonly TranscriptWord[], pieces: readonly string[]): Times[] {
  const end = old.reduce((latest, { endSeconds }) => Math.max(latest, endSeconds), 0);
  const letters = pieces.join("").trimEnd().length;
  return spreadPieces(pieces, [
    { at: 0, seconds: old[0]!.startSeconds },
    { at: letters, seconds: end },
  ]).map(timesOf);
}

/** Splits the line before the word. */
export function splitLine(lines: Lines, { line, word }: Place): Change | null {
  const old = lines[line];
  if (!old || word <= 0 || word >= old.words.length) return null;
  const [before, after] = [old.words.slice(0, word), old.words.slice(word)];
  const first = lineOf(before, { startSeconds: old.startSeconds, endSeconds: 0 });
  const second = lineOf(after, { startSeconds: Infinity, endSeconds: old.endSeconds });
  return replaceLines(lines, { at: line, removed: [old], inserted: [first, second] }, { line: line + 1, word: 0 });
}

/** Joins the word's line with the line above. */
export function joinLines(lines: Lines, { line, word }: Place): Change | null {
  const [above, old] = [lines[line - 1], lines[line]];
  if (!above || !old) return null;
  const joined = lineOf([...above.words, ...old.words], {
    startSeconds: above.startSeconds,
    endSeconds: Math.max(above.endSeconds, old.endSeconds),
  });
  const patch = { at: line - 1, removed: [above, old], inserted: [joined] };
  return replaceLines(lines, patch, { line: line - 1, word: above.words.length + word });
}

const SPACELESS_END =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}、。，．！？：；」』）]$/u;

/** A space separates words unless their scripts have none. */
function spaced(word: TranscriptWord): TranscriptWord {
  const isSeparate = /\s$/u.test(word.text) || SPACELESS_END.test(word.text);
  return isSeparate ? word : { ...word, text: `${word.text} ` };
}

export function toggleWord(lines: Lines, place: Place): Change | null {
  const words = lines[place.line]?.words;
  const old = words?.[place.word];
  return old ? changeLine(lines, place, words.with(place.word, withHidden(old, !old.hidden))) : null;
}

/** Hides or shows all words that `isMeant` accepts. */
export function hideWords(
  lines: Lines,
  isMeant: (word: TranscriptWord) => boolean,
  isHidden: boolean,
  place: Place,
): Change | null {
  const patches = lines.flatMap((line, at): Patch[] => {
    const words = line.words.map((word) =>
      isMeant(word) && (word.hidden ?? false) !== isHidden ? withHidden(word, isHidden) : word,
    );
    if (words.every((word, i) => word === line.words[i])) return [];
    return [{ at, removed: [line], inserted: [{ ...line, words }] }];
  });
  return patches.length === 0 ? null : { patches, place };
}

function withHidden(word: TranscriptWord, isHidden: boolean): TranscriptWord {
  const changed = { ...word };
  if (isHidden) changed.hidden = true;
  else delete changed.hidden;
  return changed;
}

/** Replaces the words of a line; without any, removes it. */
function changeLine(lines: Lines, place: Place, words: readonly TranscriptWord[]): Change {
  const old = lines[place.line]!;
  const inserted = words.length === 0 ? [] : [lineOf(words, old)];
  const word = Math.max(0, Math.min(place.word, words.length - 1));
  return replaceLines(lines, { at: place.line, removed: [old], inserted }, { line: place.line, word });
}

/** Returns the line as the server stores it: without a space after the last word, and with times that cover all words. */
export function lineOf(words: readonly TranscriptWord[], { startSeconds, endSeconds }: Times): TranscriptLine {
  const sorted = words.toSorted((a, b) => a.startSeconds - b.startSeconds);
  const last = sorted.pop()!;
  const own = [...sorted.map(spaced), { ...last, text: last.text.trimEnd() }];
  return {
    startSeconds: Math.min(startSeconds, own[0]!.startSeconds),
    endSeconds: own.reduce((end, word) => Math.max(end, word.endSeconds), endSeconds),
    words: own,
  };
}

/** Keeps lines sorted by start. */
function replaceLines(lines: Lines, patch: Patch, place: Place): Change {
  const next = lines.toSpliced(patch.at, patch.removed.length, ...patch.inserted);
  const isInOrder = next.every((line, i) => i === 0 || next[i - 1]!.startSeconds <= line.startSeconds);
  const last = { line: Math.max(0, Math.min(place.line, next.length - 1)), word: place.word };
  if (isInOrder) return { patches: [patch], place: last };
  const sorted = next.toSorted((a, b) => a.startSeconds - b.startSeconds);
  const from = next.findIndex((line, i) => line !== sorted[i]);
  const to = next.findLastIndex((line, i) => line !== sorted[i]) + 1;
  const moved = { at: from, removed: next.slice(from, to), inserted: sorted.slice(from, to) };
  return { patches: [patch, moved], place: { ...last, line: Math.max(0, sorted.indexOf(next[last.line]!)) } };
}
