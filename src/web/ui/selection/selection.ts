/** `anchor` starts the next range. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null };

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: null };

/** Toggles, with `isRange`, all items since the last toggled one, in the order of `all`. */
export function toggle(selection: Selection, all: readonly string[], id: string, isRange: boolean): Selection {
  const isOn = !selection.ids.has(id);
  const ids = new Set(selection.ids);
  for (const touched of isRange ? between(all, selection.anchor, id) : [id]) {
    if (isOn) ids.add(touched);
    else ids.delete(touched);
  }
  return { ids, anchor: id };
}

function between(all: readonly string[], anchor: string | null, id: string): readonly string[] {
  const from = anchor === null ? -1 : all.indexOf(anchor);
  const to = all.indexOf(id);
  if (from === -1 || to === -1) return [id];
  return all.slice(Math.min(from, to), Math.max(from, to) + 1);
}
