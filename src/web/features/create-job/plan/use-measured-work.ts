import { useQuery } from "@tanstack/react-query";
import { readFinishedWork } from "../../../api/jobs.ts";
import { measureWork, type MeasuredWork } from "./measured-work.ts";

const FRESH_MS = 60_000;

/** Returns null if unknown or not `isNeeded`. */
export function useMeasuredWork(isNeeded: boolean): MeasuredWork | null {
  const { data } = useQuery({
    queryKey: ["create-job", "measured-work"],
    queryFn: async ({ signal }) => {
      const { videos, outputs } = await readFinishedWork(signal);
      return measureWork(videos, outputs);
    },
    enabled: isNeeded,
    staleTime: FRESH_MS,
    // Only an estimate; optional.
    retry: false,
  });
  return (isNeeded && data) || null;
}
