import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isFinal, type Job } from "#contract/jobs.ts";
import { readJob } from "../../api/jobs.ts";
import { subscribeToChanges } from "../../api/realtime.ts";

/** The job that was just created, kept up to date by live changes until it ends. */
export function useLiveJob(created: Job | null): Job | null {
  const id = created?.id;
  const { data } = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ queryKey: [, , jobId] }) => readJob(jobId),
    enabled: created !== null,
    ...(created && { initialData: created }),
  });
  useJobChanges(id);
  return data ?? null;
}

function useJobChanges(id: string | undefined) {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (id === undefined) return undefined;
    const queryKey = keyOf(id);
    async function receive(job: Job) {
      // A read that is under way may bring an older state than this.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData<Job>(queryKey, (known) => (known && isFinal(known.status) ? known : job));
    }
    return subscribeToChanges<Job>({
      channel: "job_progress_updates",
      table: "jobs",
      event: "UPDATE",
      filter: `id=eq.${id}`,
      onChange: (change) => {
        if (change.type === "UPDATE") void receive(change.row);
      },
      // What happened before this moment, after creation or during a lost connection, has to be read.
      onSubscribed: () => void queryClient.invalidateQueries({ queryKey }),
    });
  }, [id, queryClient]);
}

function keyOf(id = "") {
  return ["create-job", "started", id] as const;
}
