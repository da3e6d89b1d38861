import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { JobVideo } from "#contract/jobs/jobs.ts";
import { readJobOutputs, readJobVideos } from "../../api/jobs.ts";
import { jobKeys } from "../../jobs/cache/job-keys.ts";
import { keepNewer } from "../../jobs/cache/newer-row.ts";
import { readWholeJob } from "../../jobs/read-whole-job.ts";
import { isWaiting } from "./videos/video-groups.ts";
import { groupByVideo, type OutputsByVideo } from "./outputs/outputs-by-video.ts";

/** A queue position changes without a row change, so queued jobs are polled. */
const QUEUED_REFRESH_MS = 5_000;

/** Another job's video may probe the host this job waits for, so overdue videos are polled. */
const OVERDUE_REFRESH_MS = 5_000;

function isOverdue(video: JobVideo): boolean {
  return isWaiting(video) && video.next_try_at !== null && Date.parse(video.next_try_at) < Date.now();
}

/** Includes the long lists. Polls every 5 s while Queued. */
export function useJob(id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: jobKeys.job(id),
    queryFn: () => readWholeJob(client, id),
    refetchInterval: ({ state }) => (state.data?.status === "Queued" ? QUEUED_REFRESH_MS : false),
  });
}

/** Reads in job order. Keeps newer rows from live changes; polls every 5 s while a retry is overdue. */
export function useJobVideos(jobId: string) {
  const client = useQueryClient();
  const key = jobKeys.videos(jobId);
  return useQuery({
    queryKey: key,
    queryFn: async () => keepNewer(await readJobVideos(jobId), client.getQueryData<JobVideo[]>(key) ?? []),
    refetchInterval: ({ state }) => (state.data?.some(isOverdue) ? OVERDUE_REFRESH_MS : false),
  });
}

/** Groups by video ID. Keeps newer rows from live changes. */
export function useJobOutputs(jobId: string) {
  const client = useQueryClient();
  const key = jobKeys.outputs(jobId);
  return useQuery({
    queryKey: key,
    queryFn: async () => {
      const response = await readJobOutputs(jobId);
      const cached = client.getQueryData<OutputsByVideo>(key);
      return groupByVideo(keepNewer(response, cached ? Object.values(cached).flat() : []));
    },
    // Rerendering thousands of rows is faster than comparing them deeply.
    structuralSharing: false,
  });
}
