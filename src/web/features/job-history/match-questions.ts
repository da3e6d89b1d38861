import type { QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { addMatches, isSearchShown } from "../../jobs/cache/history-cache.ts";
import { createRefresher } from "../../jobs/cache/refresh-soon.ts";

/** New jobs within this time are checked in one call. */
const COLLECT_MS = 300;

/** Asks the server which new jobs match the search on screen. `note` takes every live change. */
export function createMatchQuestions(client: QueryClient): {
  note: (change: RowChange<Job>) => void;
  stop: () => void;
} {
  /** Current rows, until the server answers. */
  const asked = new Map<string, Job>();
  const asking = createRefresher(() => void ask(), COLLECT_MS);

  async function ask(): Promise<void> {
    const ids = [...asked.keys()];
    await addMatches(client, asked);
    for (const id of ids) asked.delete(id);
  }
  return {
    note(change) {
      if (change.type === "DELETE") asked.delete(change.id);
      else if (change.type === "UPDATE" && asked.has(change.row.id)) asked.set(change.row.id, change.row);
      else if (change.type === "INSERT" && isSearchShown(client)) {
        asked.set(change.row.id, change.row);
        asking.request();
      }
    },
    stop: asking.stop,
  };
}
