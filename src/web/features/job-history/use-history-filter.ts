import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { paths } from "../../app/routing/paths.ts";
import { readHistoryFilter, type HistoryFilter } from "../../jobs/cache/history-filter.ts";

/** Keeps the filter in the URL; a new search replaces the history entry. */
export function useHistoryFilter(): [HistoryFilter, (changes: Partial<HistoryFilter>) => void] {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { search, status, type } = readHistoryFilter(address);
  const filter = useMemo(() => ({ search, status, type }), [search, status, type]);

  function changeFilter(changes: Partial<HistoryFilter>) {
    const next = { ...filter, ...changes };
    void navigate({
      to: paths.jobHistory,
      search: {
        ...(next.search && { search: next.search }),
        ...(next.status && { status: next.status }),
        ...(next.type && { type: next.type }),
      },
      replace: "search" in changes,
    });
  }
  return [filter, changeFilter];
}
