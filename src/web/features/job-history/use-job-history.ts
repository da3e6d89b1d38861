import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { HistoryFilter } from "../../jobs/cache/history-filter.ts";
import { jobKeys } from "../../jobs/cache/job-keys.ts";
import { jobsById, nextPageOf, toJobPage, type JobPages } from "../../jobs/cache/job-pages.ts";
import { newerOf } from "../../jobs/cache/newer-row.ts";
import { dismissToast } from "../../ui/toasts/toast-list.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { readPage } from "./list/read-page.ts";
import { useLiveHistory } from "./live/use-live-history.ts";

export const LOAD_FAILED = {
  title: "Error loading jobs",
  description: "Failed to fetch job history. Please try again.",
};

export function useJobHistory(filter: HistoryFilter) {
  const client = useQueryClient();
  const toast = useToast();
  const key = jobKeys.history(filter);
  const isReady = useLiveHistory();
  const query = useInfiniteQuery({
    queryKey: key,
    enabled: isReady,
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const loadedPages = client.getQueryData<JobPages>(key)?.pages.length ?? 0;
      const { jobs, total } = await readPage(pageParam, filter, { loadedPages, signal });
      const cached = client.getQueryData<JobPages>(key);
      return toJobPage({ jobs: cached ? jobs.map((job) => newerOf(job, jobsById(cached).get(job.id))) : jobs, total });
    },
    getNextPageParam: (_last, pages, lastNumber) => nextPageOf(pages, lastNumber),
    // Live changes keep the list current; refetching all pages on focus would be wasteful.
    refetchOnWindowFocus: false,
  });
  const { error } = query;
  useEffect(() => {
    if (!error) return undefined;
    const id = toast.show({ ...LOAD_FAILED, variant: "destructive" });
    // Dismisses the toast with the error or the screen.
    return () => dismissToast(id);
  }, [error, toast]);
  return query;
}
