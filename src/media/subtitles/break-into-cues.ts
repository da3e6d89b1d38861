import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { textOf, type Transcript, type Word } from "./transcript.ts";

/** What is on screen at once: one or two rows of words. */
export type Cue = { startSeconds: number; endSeconds: number; rows: Word[][] };

/** Widths are in shares of the font size. A row with a single word may be wider. */
export type CueRoom = {
  widthOf: (text: string) => number;
  maxWidth: number;
  mostCharacters: number;
  /** How fast the part plays; default 1. */
  speed?: number;
};

/** On screen. */
const LEAST_SECONDS = 0.8;
/** Shorter gaps between cues would flicker. */
const SHORTEST_GAP_SECONDS = 0.25;
/** Words of lines that are closer are one phrase, if the first line is too short to read. */
const MOST_BETWEEN_SECONDS = 0.3;
/** Lines that start together are one cue. */
const TOGETHER_SECONDS = 0.05;

const ENDS_SENTENCE = /[.!?…。！？।؟]["'»”’)\]」』）]*$/u;
const ENDS_CLAUSE = /[,;:、，；：،؛–—-]["'»”’)\]」』）]*$/u;

type Group = { words: Word[]; endSeconds: number };

/**
 * Returns the cues of one part of a video, in order and never at the same time. A line that has room stays as it is in
 * its file; longer ones break at phrases. Each cue is shown for at least 0.8 seconds, unless the next one or the part's
 * end comes first. Words that are spoken outside of the window are left out. Takes linear time.
 */
export function breakIntoCues(transcript: Transcript, window: Window, room: CueRoom): Cue[] {
  const groups = joinShort(groupsIn(transcript, window), room);
  const cues = groups.flatMap(({ words, endSeconds }) => {
    const rows = splitGroup(words, room);
    return rows.map((cue, i) => {
      const spoken = cue.at(-1)!.at(-1)!.endSeconds;
      return {
        rows: cue,
        startSeconds: cue[0]![0]!.startSeconds,
        endSeconds: i < rows.length - 1 ? spoken : endSeconds,
      };
    });
  });
  return cues.map((cue, i) => {
    const next = cues[i + 1]?.startSeconds ?? Infinity;
    const wanted = Math.max(cue.endSeconds, cue.startSeconds + leastIn(room));
    const held = next - wanted < SHORTEST_GAP_SECONDS ? next : wanted;
    const { startSeconds, rows } = cue;
    return { startSeconds, endSeconds: Math.min(held, next, window.endSeconds), rows };
  });
}

/** Words never go back in time, and a line ends when the next one starts. */
function groupsIn(transcript: Transcript, { startSeconds, endSeconds }: Window): Group[] {
  const groups: Group[] = [];
  let lineStart = -Infinity;
  for (const line of transcript) {
    const words = line.words.filter((word) => {
      const middle = (word.startSeconds + word.endSeconds) / 2;
      return middle >= startSeconds && middle < endSeconds;
    });
    if (words.length === 0) continue;
    const before = groups.at(-1);
    const isWhole = words.at(-1) === line.words.at(-1);
    const end = Math.min(isWhole ? line.endSeconds : words.at(-1)!.endSeconds, endSeconds);
    if (before && line.startSeconds - lineStart <= TOGETHER_SECONDS) {
      before.words = joined(before.words, words, "\n");
      before.endSeconds = Math.max(before.endSeconds, end);
    } else {
      groups.push({ words: [...words], endSeconds: end });
      lineStart = line.startSeconds;
    }
  }
  let at = startSeconds;
  for (const [i, group] of groups.entries()) {
    const nextSeconds = groups[i + 1]?.words[0]!.startSeconds ?? Infinity;
    group.endSeconds = Math.min(group.endSeconds, Math.max(at, nextSeconds));
    group.words = group.words.map((word) => {
      at = Math.max(at, Math.min(word.startSeconds, nextSeconds));
      return { ...word, startSeconds: at, endSeconds: Math.max(at, Math.min(word.endSeconds, group.endSeconds)) };
    });
    group.endSeconds = Math.max(group.endSeconds, at);
  }
  return groups;
}

function joinShort(groups: readonly Group[], room: CueRoom): Group[] {
  const kept: Group[] = [];
  for (const group of groups) {
    const before = kept.at(-1);
    const isShort = before !== undefined && before.endSeconds - before.words[0]!.startSeconds < leastIn(room);
    const isNear = isShort && group.words[0]!.startSeconds - before.endSeconds < MOST_BETWEEN_SECONDS;
    const words = isNear ? joined(before.words, group.words, " ") : null;
    if (words && rowsOf(words, room)) kept[kept.length - 1] = { words, endSeconds: group.endSeconds };
    else kept.push(group);
  }
  return kept;
}

/** In seconds of the source. */
function leastIn({ speed = 1 }: CueRoom): number {
  return LEAST_SECONDS * speed;
}

function joined(before: readonly Word[], after: readonly Word[], between: string): Word[] {
  const last = before.at(-1)!;
  return [...before.slice(0, -1), { ...last, text: last.text.trimEnd() + between }, ...after];
}

/** What each cue costs besides: fewer and equally filled cues, which end where a phrase does, are better. */
const COST = { cue: 1, afterClause: 0.3, withinClause: 1, tooShort: 2, unfilled: 0.5 };

function splitGroup(words: readonly Word[], room: CueRoom): Word[][][] {
  const whole = rowsOf(words, room);
  if (whole) return [whole];
  const best: { cost: number; from: number; rows: Word[][] }[] = [];
  for (let end = 1; end <= words.length; end++) {
    for (let from = end - 1; from >= 0; from--) {
      const some = words.slice(from, end);
      const rows = rowsOf(some, room);
      if (!rows) break;
      const untilSeconds = words[end]?.startSeconds ?? words.at(-1)!.endSeconds;
      const isTooShort = untilSeconds - some[0]!.startSeconds < leastIn(room);
      const unfilled = 1 - Math.min(1, widthOf(some, room) / (2 * room.maxWidth));
      const cost =
        (best[from - 1]?.cost ?? 0) +
        COST.cue +
        (end < words.length ? costAfter(some.at(-1)!) : 0) +
        (isTooShort ? COST.tooShort : 0) +
        COST.unfilled * unfilled ** 2;
      if (!best[end - 1] || cost < best[end - 1]!.cost) best[end - 1] = { cost, from, rows };
    }
  }
  const cues: Word[][][] = [];
  for (let end = words.length; end > 0; end = best[end - 1]!.from) cues.unshift(best[end - 1]!.rows);
  return cues;
}

function costAfter({ text }: Word): number {
  const plain = text.trimEnd();
  if (text.endsWith("\n") || ENDS_SENTENCE.test(plain)) return 0;
  return ENDS_CLAUSE.test(plain) ? COST.afterClause : COST.withinClause;
}

/** A row that ends within a phrase costs as much as one that is wider by this share of the width. */
const PHRASE_IN_WIDTHS = 1;

/** Returns one row, or two of similar width, or null if the words need more. */
function rowsOf(words: readonly Word[], room: CueRoom): Word[][] | null {
  const [typed, ...others] = words.flatMap(({ text }, i) => (text.endsWith("\n") ? [i + 1] : []));
  if (typed !== undefined && others.length === 0 && typed < words.length) {
    const rows = [words.slice(0, typed), words.slice(typed)];
    if (rows.every((row) => fits(row, room))) return rows;
  }
  if (fits(words, room)) return [[...words]];
  let best: { cost: number; rows: Word[][] } | null = null;
  for (let end = 1; end < words.length; end++) {
    const rows = [words.slice(0, end), words.slice(end)];
    if (!fits(rows[0]!, room)) break;
    if (!fits(rows[1]!, room)) continue;
    const [first, second] = [widthOf(rows[0]!, room), widthOf(rows[1]!, room)];
    const cost = Math.abs(first - second) / room.maxWidth + PHRASE_IN_WIDTHS * costAfter(words[end - 1]!);
    if (!best || cost < best.cost) best = { cost, rows };
  }
  return best?.rows ?? null;
}

function fits(row: readonly Word[], room: CueRoom): boolean {
  if (row.length === 1) return true;
  const text = textOf(row);
  return text.length <= room.mostCharacters && widthOf(row, room) <= room.maxWidth;
}

function widthOf(row: readonly Word[], { widthOf: measure }: CueRoom): number {
  return row.reduce((sum, { text }, i) => {
    const word = text.trimEnd();
    const isFollowed = i < row.length - 1 && word.length < text.length;
    return sum + measure(word) + (isFollowed ? measure(" ") : 0);
  }, 0);
}
