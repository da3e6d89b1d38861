/** The item shown and where it was. `item` is null until the operator selects one. */
export type Shown = { index: number; item: string | null };

/** Returns the place of the shown item, also after others moved or went; without it, the nearest place. */
export function placeOf(items: readonly string[], { index, item }: Shown): number {
  const moved = item === null || items[index] === item ? -1 : items.indexOf(item);
  return moved === -1 ? Math.min(index, Math.max(0, items.length - 1)) : moved;
}
