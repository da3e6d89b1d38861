import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { Job, JobOutput } from "#contract/jobs/jobs.ts";
import { readClipsOfVideos } from "../../api/jobs.ts";
import { type Part, partsOf } from "./list/parts.ts";

/** Of the current file; none without slots. */
export function useParts(
  { id, slots }: Pick<Job, "id" | "slots">,
  outputs: readonly JobOutput[],
  current: JobOutput | null,
): readonly Part[] {
  const { data, refetch } = useQuery({
    queryKey: ["clips", id],
    queryFn: () => readClipsOfVideos(id),
    enabled: slots.length > 0,
    staleTime: Infinity,
  });
  // A changed job has other videos.
  const isReplaced = current !== null && data?.has(current.video_id) === false;
  useEffect(() => {
    if (isReplaced) void refetch();
  }, [isReplaced, refetch]);
  return useMemo(
    () => (data && current ? partsOf(slots, data, outputs, current) : []),
    [data, slots, outputs, current],
  );
}
