import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { useLiveRows } from "../../../jobs/cache/use-live-rows.ts";
import { useReadiness } from "../../../jobs/cache/use-readiness.ts";
import { createLiveHistory } from "./live-history.ts";

/** Keeps all cached lists current. Returns true when they may be loaded (`useReadiness`). */
export function useLiveHistory(): boolean {
  const client = useQueryClient();
  const { isReady, setReady } = useReadiness();
  const [history] = useState(() => createLiveHistory(client));
  useEffect(() => history.start(), [history]);
  useLiveRows<Job>({
    channel: "job_history_updates",
    table: "jobs",
    onChange: history.note,
    onSubscribed: (isFirst) => {
      void client.invalidateQueries({
        queryKey: jobKeys.histories,
        // Lists that the server rejected wait for "Try again"; unreachable ones can load now.
        predicate: ({ state }) => !isFirst || state.status !== "error" || wasUnreachable(state.error),
      });
      setReady();
    },
  });
  return isReady;
}

function wasUnreachable(error: Error | null): boolean {
  return error instanceof CallError && error.status === 0;
}
