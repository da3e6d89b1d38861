import type { QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { addMatches, isSearchShown } from "../../jobs/cache/history-cache.ts";
import { createRefresher } from "../../jobs/cache/refresh-soon.ts";

/** Batches new jobs within this time into one call. */
const COLLECT_MS = 300;

/** Asks the server which new jobs match the search on screen. Pass every live change to `note`. */
export function createMatchChecker(client: QueryClient): {
  note: (change: RowChange<Job>) => void;
  stop: () => void;
} {
  const pending = new Map<string, Job>();
  const refresher = createRefresher(ask, COLLECT_MS);

  async function ask(): Promise<void> {
    const ids = [...pending.keys()];
    await addMatches(client, pending);
    for (const id of ids) pending.delete(id);
  }
  return {
    note(change) {
      if (change.type === "DELETE") pending.delete(change.id);
      else if (change.type === "UPDATE" && pending.has(change.row.id)) pending.set(change.row.id, change.row);
      else if (change.type === "INSERT" && isSearchShown(client)) {
        pending.set(change.row.id, change.row);
        refresher.request();
      }
    },
    stop: refresher.stop,
  };
}
