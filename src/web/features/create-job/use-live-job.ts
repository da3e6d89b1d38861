import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Job } from "#contract/jobs.ts";
import { CallError } from "../../api/call-error.ts";
import { subscribeToChanges } from "../../api/realtime.ts";
import { jobKeys } from "../../jobs/job-keys.ts";
import { newerOf } from "../../jobs/newer-row.ts";
import { readWholeJob } from "../../jobs/read-whole-job.ts";

/** PostgREST's error code when a requested single row does not exist. */
const NO_SUCH_ROW = 406;

/** A job to follow: the row created here, or only its id. */
export type FollowedJob = { id: string; created?: Job };

/** Keeps a job up to date with live changes. `isGone` is true once it has been deleted. */
export function useLiveJob(followed: FollowedJob | null): { job: Job | null; isGone: boolean } {
  const client = useQueryClient();
  const id = followed?.id ?? "";
  const queryKey = jobKeys.job(id);
  const { data, error } = useQuery({
    queryKey,
    queryFn: () => readWholeJob(client, id),
    enabled: followed !== null,
    ...(followed?.created && { initialData: followed.created }),
  });
  useJobChanges(followed?.id);
  const isGone = error instanceof CallError && error.status === NO_SUCH_ROW;
  return { job: isGone ? null : (data ?? null), isGone };
}

function useJobChanges(id: string | undefined) {
  const client = useQueryClient();
  useEffect(() => {
    if (id === undefined) return undefined;
    const queryKey = jobKeys.job(id);
    return subscribeToChanges<Job>({
      channel: "job_progress_updates",
      table: "jobs",
      event: "UPDATE",
      filter: `id=eq.${id}`,
      onChange: (change) => {
        if (change.type === "UPDATE") client.setQueryData<Job>(queryKey, (known) => newerOf(change.row, known));
      },
      // What happened before this moment, after creation or during a lost connection, has to be read.
      onSubscribed: () => void client.invalidateQueries({ queryKey }),
    });
  }, [id, client]);
}
