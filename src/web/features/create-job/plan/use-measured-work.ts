import { useQuery } from "@tanstack/react-query";
import type { MeasuredWork } from "#contract/jobs/outputs/measured-work.ts";
import { readMeasuredWork } from "../../../api/jobs.ts";

const FRESH_MS = 60_000;

/** Returns null if unknown or not `isNeeded`. */
export function useMeasuredWork(isNeeded: boolean): MeasuredWork | null {
  const { data } = useQuery({
    queryKey: ["create-job", "measured-work"],
    queryFn: ({ signal }) => readMeasuredWork(signal),
    enabled: isNeeded,
    // Without a finished job, the next form may find one.
    staleTime: ({ state }) => (state.data ? FRESH_MS : 0),
    // Only an estimate; optional.
    retry: false,
  });
  return (isNeeded && data) || null;
}
