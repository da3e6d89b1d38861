import type { TranscriptLine } from "#contract/transcripts/transcripts.ts";
import type { Lines } from "../model/patches.ts";

export type LineItem = { id: string; line: TranscriptLine };

let lastId = 0;

/** Unchanged lines keep their item; changed lines keep the id of the line that they replace. */
export function nextItems(items: readonly LineItem[], lines: Lines): LineItem[] {
  const most = Math.min(items.length, lines.length);
  let start = 0;
  while (start < most && items[start]!.line === lines[start]) start += 1;
  let end = 0;
  while (end < most - start && items.at(-1 - end)!.line === lines.at(-1 - end)) end += 1;
  const replaced = items.slice(start, items.length - end);
  const changed = lines.slice(start, lines.length - end).map((line, i): LineItem => {
    const old = replaced[i];
    if (old?.line === line) return old;
    lastId += 1;
    return { id: old?.id ?? `line-${lastId}`, line };
  });
  return [...items.slice(0, start), ...changed, ...(end === 0 ? [] : items.slice(-end))];
}
