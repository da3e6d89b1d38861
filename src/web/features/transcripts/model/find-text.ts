import type { TranscriptWord } from "#contract/transcripts/transcripts.ts";
import { type Change, lineOf, retypeWords } from "./commands.ts";
import type { Lines, Patch } from "./patches.ts";

export type Search = { text: string; isCaseMatched: boolean; isWholeWord: boolean };

/** The words from `from` up to but not including `to`, and where the match is in their text. */
export type Match = { line: number; from: number; to: number; start: number; end: number };

/** Finds a text within lines, also across words. Matches do not overlap. */
export function findText(lines: Lines, search: Search): Match[] {
  const pattern = patternOf(search);
  if (!pattern) return [];
  return lines.flatMap(({ words }, line) => {
    const { text, starts } = joined(words);
    return [...text.matchAll(pattern)].map(({ 0: found, index }): Match => {
      const from = starts.findLastIndex((start) => start <= index);
      const to = starts.findLastIndex((start) => start < index + found.length) + 1;
      const start = index - starts[from]!;
      return { line, from, to, start, end: start + found.length };
    });
  });
}

/** Replaces one match. */
export function replaceMatch(lines: Lines, match: Match, replacement: string): Change | null {
  return replaceMatches(lines, [match], replacement);
}

/** Replaces all matches. Returns null if no match changes. */
export function replaceText(lines: Lines, search: Search, replacement: string): (Change & { count: number }) | null {
  return replaceMatches(lines, findText(lines, search), replacement);
}

function replaceMatches(
  lines: Lines,
  matches: readonly Match[],
  replacement: string,
): (Change & { count: number }) | null {
  const patches: Patch[] = [];
  let count = 0;
  let removed = 0;
  for (const at of new Set(matches.map(({ line }) => line))) {
    const line = lines[at]!;
    let words: readonly TranscriptWord[] = line.words;
    // From the end, so that indexes stay valid.
    for (const match of matches.filter((one) => one.line === at).toReversed()) {
      const old = words.slice(match.from, match.to);
      const { text } = joined(old);
      const typed = text.slice(0, match.start) + replacement + text.slice(match.end);
      if (typed.trim() === text.trim()) continue;
      count += 1;
      words = words.toSpliced(match.from, old.length, ...retypeWords(old, typed));
    }
    if (words === line.words) continue;
    patches.push({ at: at - removed, removed: [line], inserted: words.length === 0 ? [] : [lineOf(words, line)] });
    if (words.length === 0) removed += 1;
  }
  const [first] = matches;
  if (!first || count === 0) return null;
  return { patches, count, place: { line: first.line, word: first.from } };
}

/** The searched text, with line breaks as spaces. `starts`: where each word starts in it. */
function joined(words: readonly TranscriptWord[]): { text: string; starts: number[] } {
  let text = "";
  const starts = words.map((word) => {
    const start = text.length;
    text += word.text.replaceAll("\n", " ");
    return start;
  });
  return { text: text.trimEnd(), starts };
}

function patternOf({ text, isCaseMatched, isWholeWord }: Search): RegExp | null {
  const wanted = text.trim().replaceAll(/\s+/gu, " ");
  if (wanted === "") return null;
  const escaped = wanted.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`);
  const whole = isWholeWord ? String.raw`(?<![\p{L}\p{N}\p{M}])${escaped}(?![\p{L}\p{N}\p{M}])` : escaped;
  return new RegExp(whole, isCaseMatched ? "gu" : "giu");
}
