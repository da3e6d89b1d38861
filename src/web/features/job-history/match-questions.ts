import type { QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { askForMatches, shownSearches } from "../../jobs/cache/history-cache.ts";
import { jobsById, type JobPages } from "../../jobs/cache/job-pages.ts";
import { createRefresher } from "../../jobs/cache/refresh-soon.ts";

/** Batches changed jobs within this time into one call. */
const COLLECT_MS = 300;

/** Asks the server which jobs match the search on screen. Pass every live change to `note` before applying it. */
export function createMatchChecker(
  client: QueryClient,
  onChecked?: () => void,
): { note: (change: RowChange<Job>) => void; stop: () => void } {
  const pending = new Map<string, Job>();
  const refresher = createRefresher(ask, COLLECT_MS);

  async function ask(): Promise<void> {
    const asked = new Map(pending);
    await askForMatches(client, pending);
    // Asks again about jobs that changed meanwhile.
    for (const [id, job] of asked) if (pending.get(id) === job) pending.delete(id);
    onChecked?.();
  }
  return {
    note(change) {
      if (change.type === "DELETE") {
        pending.delete(change.id);
        return;
      }
      const searches = shownSearches(client);
      const isOpen = pending.has(change.row.id) || searches.some((data) => mayJoinOrLeave(data, change.row));
      if (!isOpen) return;
      pending.set(change.row.id, change.row);
      refresher.request();
    },
    stop: refresher.stop,
  };
}

/** A running job adds file names to its search text; its other texts change only with its samples. */
function mayJoinOrLeave(data: JobPages, row: Job): boolean {
  const known = jobsById(data).get(row.id);
  return (
    !known || known.status !== row.status || known.job_name !== row.job_name || known.proof_state !== row.proof_state
  );
}
