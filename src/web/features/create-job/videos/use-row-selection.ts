import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { NOTHING_SELECTED, toggle } from "../../../ui/selection/selection.ts";
import type { VideoRow } from "./read-rows.ts";

/** `toggleRow` is stable, so that rows do not rerender. */
export function useRowSelection(rows: readonly VideoRow[]) {
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  }, [rows]);
  const toggleRow = useCallback((key: string, isRange: boolean) => {
    const all = isRange ? latest.current.map((row) => row.key) : [];
    setSelection((current) => toggle(current, all, key, isRange));
  }, []);
  // Excludes removed rows.
  const selected = useMemo(
    () => (selection.ids.size === 0 ? [] : rows.filter(({ key }) => selection.ids.has(key))),
    [rows, selection],
  );
  return {
    ids: selection.ids,
    selected,
    toggleRow,
    selectAlso: (keys: readonly string[]) =>
      setSelection(({ ids, anchor }) => ({ ids: new Set([...ids, ...keys]), anchor: anchor ?? keys[0] ?? null })),
    deselect: (removed: readonly VideoRow[]) => {
      const keys = new Set(removed.map(({ key }) => key));
      setSelection(({ ids, anchor }) => ({ ids: new Set([...ids].filter((key) => !keys.has(key))), anchor }));
    },
    selectAll: (isOn: boolean) =>
      setSelection(isOn ? { ids: new Set(rows.map(({ key }) => key)), anchor: null } : NOTHING_SELECTED),
  };
}
