import type { RefObject } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { JobRowSkeleton } from "../../../jobs/row/job-row-skeleton.tsx";
import { useCancellingIds } from "../../../jobs/actions/use-cancel-job.ts";
import { useSteadySlots } from "../../../ui/page/use-steady-slots.ts";
import { WindowList } from "../../../ui/page/window-list.tsx";
import { HistoryRow, historyColumns } from "./history-row.tsx";

const SKELETONS = ["a", "b", "c", "d", "e"];

const ROW_PX = 61;
const PHONE_ROW_PX = 97;

export function HistoryList({
  list,
  jobs,
  total,
  selectedIds,
  onToggle,
}: {
  list: RefObject<HTMLUListElement | null>;
  jobs: readonly Job[];
  total: number;
  selectedIds: ReadonlySet<string>;
  onToggle: (id: string, isRange: boolean) => void;
}) {
  const cancelling = useCancellingIds();
  const { rows, holes } = useSteadySlots(list, jobs);
  return (
    <WindowList
      list={list}
      label="Jobs"
      items={rows}
      holes={holes}
      total={total}
      rowPx={ROW_PX}
      phoneRowPx={PHONE_ROW_PX}
    >
      {(job) => (
        <HistoryRow
          job={job}
          isCancelling={cancelling.has(job.id)}
          isSelected={selectedIds.has(job.id)}
          isSelecting={selectedIds.size > 0}
          onToggle={onToggle}
        />
      )}
    </WindowList>
  );
}

export function HistorySkeleton() {
  return (
    <ul aria-busy aria-label="Loading jobs" className="px-3 pb-3 max-desk:px-0 max-desk:pb-4">
      {SKELETONS.map((key) => (
        <JobRowSkeleton key={key} className={historyColumns} hasCheck hasElapsed />
      ))}
    </ul>
  );
}
