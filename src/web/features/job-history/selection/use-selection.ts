import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { NOTHING_SELECTED, toggle } from "../../../ui/selection/selection.ts";

/** Selects among the jobs shown. `handleToggle` is stable, so rows do not rerender. */
export function useSelection(jobs: readonly Job[]) {
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const latest = useRef(jobs);
  useEffect(() => {
    latest.current = jobs;
  }, [jobs]);

  const handleToggle = useCallback((id: string, isRange: boolean) => {
    const all = isRange ? latest.current.map((job) => job.id) : [];
    setSelection((current) => toggle(current, all, id, isRange));
  }, []);
  const clear = useCallback(() => setSelection(NOTHING_SELECTED), []);
  // Leaves out deleted jobs.
  const selected = useMemo(
    () => (selection.ids.size === 0 ? [] : jobs.filter((job) => selection.ids.has(job.id))),
    [jobs, selection],
  );
  function selectAll() {
    setSelection({ ids: new Set(jobs.map((job) => job.id)), anchor: null });
  }
  return { ids: selection.ids, selected, handleToggle, selectAll, clear };
}
