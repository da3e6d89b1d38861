import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { NOTHING_SELECTED, toggle } from "./selection.ts";

/** Ignores items no longer listed. `handleToggle` is stable, so that rows do not rerender. */
export function useSelection<Item extends { id: string }>(items: readonly Item[]) {
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const latest = useRef(items);
  useEffect(() => {
    latest.current = items;
  }, [items]);

  const handleToggle = useCallback((id: string, isRange: boolean) => {
    const all = isRange ? latest.current.map((item) => item.id) : [];
    setSelection((current) => toggle(current, all, id, isRange));
  }, []);
  const clear = useCallback(() => setSelection(NOTHING_SELECTED), []);
  // Excludes deleted items.
  const selected = useMemo(
    () => (selection.ids.size === 0 ? [] : items.filter((item) => selection.ids.has(item.id))),
    [items, selection],
  );
  function selectAll() {
    setSelection({ ids: new Set(items.map((item) => item.id)), anchor: null });
  }
  return { ids: selection.ids, selected, handleToggle, selectAll, clear };
}
