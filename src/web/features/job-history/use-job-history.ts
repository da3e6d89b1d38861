import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ListJobsResponse } from "#contract/calls.ts";
import { listJobs } from "../../api/jobs.ts";
import type { HistoryFilter } from "../../jobs/history-filter.ts";
import { jobKeys } from "../../jobs/job-keys.ts";
import { jobsOf, nextPageOf, PAGE_SIZE, type JobPages } from "../../jobs/job-pages.ts";
import { keepNewer } from "../../jobs/newer-row.ts";
import { useToast } from "../../ui/use-toast.ts";
import { useLiveHistory } from "./use-live-history.ts";

export const LOAD_FAILED = {
  title: "Error loading jobs",
  description: "Failed to fetch job history. Please try again.",
};

/** The jobs under a filter, page by page, kept up to date by live changes. */
export function useJobHistory(filter: HistoryFilter) {
  const client = useQueryClient();
  const toast = useToast();
  const key = jobKeys.history(filter);
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }): Promise<ListJobsResponse> => {
      const answer = await listJobs(toRequest(pageParam, filter), signal);
      const known = client.getQueryData<JobPages>(key);
      return { ...answer, jobs: keepNewer(answer.jobs, known ? jobsOf(known) : []) };
    },
    getNextPageParam: (_last, pages) => nextPageOf(pages),
  });
  const { error } = query;
  useEffect(() => {
    if (error) toast.show({ ...LOAD_FAILED, variant: "destructive" });
  }, [error, toast]);
  useLiveHistory(filter);
  return query;
}

function toRequest(page: number, { search, status, type }: HistoryFilter) {
  return {
    page: String(page),
    limit: String(PAGE_SIZE),
    ...(search && { search }),
    ...(status && { status }),
    ...(type && { type }),
  };
}
