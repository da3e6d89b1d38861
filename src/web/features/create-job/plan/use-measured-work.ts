import { useQuery } from "@tanstack/react-query";
import { readFinishedWork } from "../../../api/finished-work.ts";
import { loadSystem } from "../../../api/functions/settings/settings.ts";
import { measureWork, type MeasuredWork } from "./measured-work.ts";

const FRESH_MS = 60_000;

/** Videos at the same time; null if unknown. */
async function readCapacity(signal: AbortSignal): Promise<number | null> {
  const { workers } = await loadSystem(signal);
  return (
    workers.filter(({ isLost, isPaused }) => !isLost && !isPaused).reduce((sum, one) => sum + one.concurrency, 0) ||
    null
  );
}

/** Returns null if unknown or not `isNeeded`. */
export function useMeasuredWork(isNeeded: boolean): MeasuredWork | null {
  const { data } = useQuery({
    queryKey: ["create-job", "measured-work"],
    queryFn: async ({ signal }) => {
      const [{ videos, outputs, work }, capacity] = await Promise.all([
        readFinishedWork(signal),
        readCapacity(signal).catch(() => null),
      ]);
      return measureWork(videos, outputs, work, capacity);
    },
    enabled: isNeeded,
    // Without a finished job, the next form may find one.
    staleTime: ({ state }) => (state.data ? FRESH_MS : 0),
    // Only an estimate; optional.
    retry: false,
  });
  return (isNeeded && data) || null;
}
