/** Edits that keep the links field's other lines. */

import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { rowKey } from "./row-key.ts";

/** `key` is unique and stable across moves. `row`: the video's in a table, if any. */
export type Entry = { key: string; link: string; row: JobRow | null };

/** Numbers repeated links with equal rows to make keys unique. `rows` are empty or one per link. */
export function toEntries(links: readonly string[], rows: readonly (JobRow | null)[] = []): Entry[] {
  const seen = new Map<string, number>();
  return links.map((link, index) => {
    const row = rows[index] ?? null;
    const ofRow = row ? rowKey(row) : "";
    const name = ofRow === "" ? link : `${link} ${ofRow}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { key: `${count} ${name}`, link, row };
  });
}

export function toText(entries: readonly Entry[]): string {
  return entries.map(({ link }) => link).join("\n");
}

export function removeEntries(entries: readonly Entry[], removed: ReadonlySet<string>): Entry[] {
  return entries.filter(({ key }) => !removed.has(key));
}

/** Ignores unknown keys. */
export function replaceEntry(entries: readonly Entry[], key: string, links: readonly string[]): Entry[] {
  const next = entries.flatMap((entry): Omit<Entry, "key">[] =>
    entry.key === key ? links.map((link) => ({ link, row: null })) : [entry],
  );
  return toEntries(
    next.map(({ link }) => link),
    next.map(({ row }) => row),
  );
}

/** Sorts the entries of `order` among the positions they occupy; other entries stay. */
export function reorderEntries(entries: readonly Entry[], order: readonly string[]): Entry[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const listed = order.flatMap((key) => byKey.get(key) ?? []);
  const isListed = new Set(listed);
  let next = 0;
  return entries.map((entry) => (isListed.has(entry) ? listed[next++]! : entry));
}

/** Moves keys as a group, in their order, before `before` (possibly one of them); null means the end. */
export function moveBefore(order: readonly string[], moved: ReadonlySet<string>, before: string | null): string[] {
  const from = before === null ? order.length : order.indexOf(before);
  const end = from === -1 ? order.length : from;
  const isMoved = (key: string) => moved.has(key);
  const stays = (key: string) => !moved.has(key);
  return [...order.slice(0, end).filter(stays), ...order.filter(isMoved), ...order.slice(end).filter(stays)];
}

/** Moves each key one place up (-1) or down (1); keys at the end stay. */
export function moveByOne(order: readonly string[], moved: ReadonlySet<string>, by: -1 | 1): string[] {
  const next = by === -1 ? [...order] : order.toReversed();
  for (let place = 1; place < next.length; place++) {
    const [before, key] = [next[place - 1]!, next[place]!];
    if (moved.has(key) && !moved.has(before)) [next[place - 1], next[place]] = [key, before];
  }
  return by === -1 ? next : next.toReversed();
}
