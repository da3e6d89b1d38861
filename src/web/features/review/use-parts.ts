import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Job, JobOutput } from "#contract/jobs/jobs.ts";
import { readClipsOfVideos } from "../../api/jobs.ts";
import { type Part, partsOf } from "./list/parts.ts";

/** Of the current file; none without slots. */
export function useParts(
  { id, slots }: Pick<Job, "id" | "slots">,
  outputs: readonly JobOutput[],
  current: JobOutput | null,
): readonly Part[] {
  const { data } = useQuery({
    queryKey: ["clips", id],
    queryFn: () => readClipsOfVideos(id),
    enabled: slots.length > 0,
    // They never change.
    staleTime: Infinity,
  });
  return useMemo(
    () => (data && current ? partsOf(slots, data, outputs, current) : []),
    [data, slots, outputs, current],
  );
}
