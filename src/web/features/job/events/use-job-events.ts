import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { JobEventsResponse } from "#contract/calls.ts";
import { readJobEvents } from "../../../api/jobs.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { addNewest } from "./add-newest.ts";

/** Shown initially: a job of 10,000 videos has 20,000 events. */
const INITIAL_COUNT = 12;
/** Usually more than were written since the last read. */
const NEWEST_COUNT = 200;

/** Reads all only if `isExpanded`, and then only the newest again. */
export function useJobEvents(jobId: string, isExpanded: boolean) {
  const client = useQueryClient();
  const newest = useQuery({
    queryKey: [...jobKeys.events(jobId), "newest"],
    queryFn: () => readJobEvents(jobId, INITIAL_COUNT),
  });
  const key = [...jobKeys.events(jobId), "all"];
  const all = useQuery({ queryKey: key, queryFn: () => readAll(client, jobId, key), enabled: isExpanded });
  const events = (isExpanded ? all.data : undefined) ?? newest.data;
  return { events, isReading: isExpanded && all.isFetching, readAgain: all.refetch };
}

async function readAll(client: QueryClient, jobId: string, key: string[]): Promise<JobEventsResponse> {
  const known = client.getQueryData<JobEventsResponse>(key);
  if (!known) return readJobEvents(jobId);
  const newest = await readJobEvents(jobId, NEWEST_COUNT);
  const data = addNewest(known.data, newest);
  return data ? { data, total: data.length } : readJobEvents(jobId);
}
