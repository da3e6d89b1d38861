type Item = { id: string };

/** `holes` are items that left the list; their empty slots keep the rows below in place. */
export type Slots<Row extends Item> = { items: readonly Row[]; rows: readonly Row[]; holes: ReadonlySet<string> };

export function toSlots<Row extends Item>(items: readonly Row[]): Slots<Row> {
  return { items, rows: items, holes: new Set() };
}

/**
 * Keeps the row `anchorId` where it is: rows at or above it that leave become holes, and rows that join above it take
 * the place of holes. Without an anchor, there are no holes.
 */
export function moveSlots<Row extends Item>(
  { rows }: Slots<Row>,
  items: readonly Row[],
  anchorId: string | null,
): Slots<Row> {
  const anchorAt = rows.findIndex(({ id }) => id === anchorId);
  const ids = new Set(items.map(({ id }) => id));
  const left = rows.slice(0, anchorAt + 1).filter(({ id }) => !ids.has(id));
  if (left.length === 0) return toSlots(items);
  const known = new Set(rows.map(({ id }) => id));
  // The first row that stays at or below the anchor: what joins before it would move the anchor.
  const below = rows.slice(anchorAt).find(({ id }) => ids.has(id));
  const end = below ? items.findIndex(({ id }) => id === below.id) : items.length;
  const joined = items.slice(0, end).filter(({ id }) => !known.has(id)).length;
  const holes = left.slice(joined);
  return { items, rows: insertHoles(items, rows, holes), holes: new Set(holes.map(({ id }) => id)) };
}

/** Each hole goes before the item that followed it. */
function insertHoles<Row extends Item>(items: readonly Row[], before: readonly Row[], holes: readonly Row[]): Row[] {
  const followers = new Map(before.map(({ id }, index) => [id, before[index + 1]?.id]));
  return holes.reduceRight(
    (rows, hole) => {
      let follower = followers.get(hole.id);
      while (follower !== undefined && !rows.some(({ id }) => id === follower)) follower = followers.get(follower);
      const at = follower === undefined ? rows.length : rows.findIndex(({ id }) => id === follower);
      return rows.toSpliced(at, 0, hole);
    },
    [...items],
  );
}
