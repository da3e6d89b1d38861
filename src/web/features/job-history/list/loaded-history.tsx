import { useEffect, useRef } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { HistoryHead } from "../history-head.tsx";
import { HistoryList } from "./history-list.tsx";
import { NewJobsPill } from "./new-jobs-pill.tsx";
import { SelectionBar } from "../selection/selection-bar.tsx";
import { goToNewJobs, useNewJobs } from "../live/use-new-jobs.ts";
import { useSelection } from "../../../ui/selection/use-selection.ts";

export function LoadedHistory({ jobs, total }: { jobs: readonly Job[]; total: number }) {
  const list = useRef<HTMLUListElement>(null);
  const { shown, waiting } = useNewJobs(jobs);
  const { ids, selected, handleToggle, selectAll, clear } = useSelection(shown);
  const isAll = selected.length === shown.length;

  const before = useRef({ jobs: 0, selected: 0 });
  useEffect(() => {
    const hasLess = jobs.length < before.current.jobs || selected.length < before.current.selected;
    before.current = { jobs: jobs.length, selected: selected.length };
    // Focus may have been on a deleted card or the closed bar; move it to the list.
    if (hasLess && document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, [jobs.length, selected.length]);

  function handleShowNew() {
    goToNewJobs();
    list.current?.focus({ preventScroll: true });
  }
  return (
    <>
      <HistoryHead
        check={
          <Checkbox
            label="Select all loaded jobs"
            isLabelHidden
            checked={isAll}
            isMixed={selected.length > 0 && !isAll}
            onChange={isAll ? clear : selectAll}
          />
        }
      />
      <NewJobsPill count={waiting} onShow={handleShowNew} />
      <HistoryList list={list} jobs={shown} total={total} selectedIds={ids} onToggle={handleToggle} />
      {selected.length > 0 && <SelectionBar selected={selected} onClear={clear} />}
    </>
  );
}
