import type { ReactNode } from "react";
import { historyColumns } from "./list/history-row.tsx";

/** Wide screens only; `check` comes first. */
export function HistoryHead({ check }: { check?: ReactNode }) {
  return (
    <div
      className={`mx-6 grid items-center gap-x-4 border-b border-line pb-1.5 text-11 font-medium text-ink-3 max-desk:hidden ${historyColumns}`}
    >
      <span className="flex">{check}</span>
      <span>Job</span>
      <span>Status</span>
      <span>Progress</span>
      <span className="text-right max-wide:hidden">Elapsed</span>
      <span className="text-right">Created</span>
    </div>
  );
}
