/** Edits that keep the links field's other lines. */

/** `key` is unique and stable across moves. */
export type Entry = { key: string; link: string };

/** Numbers repeated links to make keys unique. */
export function toEntries(links: readonly string[]): Entry[] {
  const seen = new Map<string, number>();
  return links.map((link) => {
    const count = (seen.get(link) ?? 0) + 1;
    seen.set(link, count);
    return { key: `${count} ${link}`, link };
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
  return toEntries(entries.flatMap((entry) => (entry.key === key ? links : [entry.link])));
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
