import { ArrowUp } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { useSelection } from "../../../ui/selection/use-selection.ts";
import { goToNewJobs, useNewJobs } from "../live/use-new-jobs.ts";
import { SelectionBar } from "../selection/selection-bar.tsx";
import { HistoryList } from "./history-list.tsx";
import { HistoryHead } from "./history-row.tsx";

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

function NewJobsPill({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <output className="sticky top-[calc(var(--h-top)+12px)] z-[4] flex h-0 justify-center">
      {count > 0 && (
        <button
          type="button"
          className="tnum inline-flex h-8 items-center gap-1.5 rounded-full border border-line-strong bg-overlay px-3.5 font-medium text-ink shadow-pop transition-colors hover:bg-raised-2 max-desk:h-11"
          onClick={onShow}
        >
          <Icon icon={ArrowUp} size={14} />
          {pluralize(count, "new job")}
        </button>
      )}
    </output>
  );
}
