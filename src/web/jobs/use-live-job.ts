import { useQueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../api/connection/realtime.ts";
import { jobKeys } from "./cache/job-keys.ts";
import { applyJobChange } from "./cache/apply-job-change.ts";
import { useLiveRows } from "./cache/use-live-rows.ts";

/** Keeps a cached job current; does nothing for null. `onSubscribed` runs when changes may have been missed. */
export function useLiveJob(
  jobId: string | null,
  { onChange, onSubscribed }: { onChange?: (change: RowChange<Job>) => void; onSubscribed?: () => void } = {},
): void {
  const client = useQueryClient();
  useLiveRows<Job>({
    channel: "job_progress_updates",
    table: "jobs",
    filter: `id=eq.${jobId}`,
    isOff: jobId === null,
    onChange: (change) => {
      if (jobId !== null) applyJobChange(client, jobId, change);
      onChange?.(change);
    },
    onSubscribed: () => {
      void client.invalidateQueries({ queryKey: jobKeys.job(jobId ?? "") });
      onSubscribed?.();
    },
  });
}
