/** `item` is null until the operator selects one. */
export type Shown = { index: number; item: string | null };

/** Follows the shown item after moves; if it was removed, returns the nearest index. */
export function placeOf(items: readonly string[], { index, item }: Shown): number {
  const moved = item === null || items[index] === item ? -1 : items.indexOf(item);
  return moved === -1 ? Math.min(index, Math.max(0, items.length - 1)) : moved;
}
