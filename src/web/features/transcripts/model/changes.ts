import type { TranscriptLine, TranscriptWord } from "#contract/transcripts/transcripts.ts";
import type { Editing } from "./editing.ts";
import { applyPatches, invertPatches, type Lines } from "./patches.ts";

type Span = { startSeconds: number; endSeconds: number };

/** The sum of all steps that can be undone. `spans`: when changed lines are shown, before or after the change. */
export type Changes = { words: number; lines: number; spans: readonly Span[] };

export function changesOf({ lines, done }: Pick<Editing, "lines" | "done">): Changes {
  const before = applyPatches(lines, invertPatches(done.flatMap(({ patches }) => patches))) ?? lines;
  const [removed, added] = [without(before, lines), without(lines, before)];
  const words = Math.max(
    without(wordsOf(removed), wordsOf(added)).length,
    without(wordsOf(added), wordsOf(removed)).length,
  );
  const spans = [...removed, ...added].map(({ startSeconds, endSeconds }) => ({ startSeconds, endSeconds }));
  return { words, lines: Math.max(removed.length, added.length), spans };
}

/** True for a file that shows a part of the source with a change; an unknown part may have one. */
export function showsChange(
  { spans }: Changes,
  part: { start_seconds: number | null; end_seconds: number | null },
): boolean {
  const [start, end] = [part.start_seconds, part.end_seconds];
  return spans.some((span) => (end === null || span.startSeconds < end) && (start === null || span.endSeconds > start));
}

function wordsOf(lines: Lines): TranscriptWord[] {
  return lines.flatMap(({ words }) => words);
}

/** Returns what `others` lacks, by content. */
function without<Item extends TranscriptLine | TranscriptWord>(
  items: readonly Item[],
  others: readonly Item[],
): Item[] {
  const same = new Set(others);
  const rest = items.filter((item) => !same.has(item));
  if (rest.length === 0) return rest;
  const keys = new Map<string, number>();
  const own = new Set(items);
  for (const item of others) if (!own.has(item)) keys.set(keyOf(item), (keys.get(keyOf(item)) ?? 0) + 1);
  return rest.filter((item) => {
    const left = keys.get(keyOf(item)) ?? 0;
    keys.set(keyOf(item), left - 1);
    return left <= 0;
  });
}

function keyOf(item: TranscriptLine | TranscriptWord): string {
  if (!("words" in item))
    return JSON.stringify([item.text.trim(), item.startSeconds, item.endSeconds, item.hidden ?? false]);
  return JSON.stringify([item.startSeconds, item.endSeconds, item.words.map(keyOf)]);
}
