import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { clipName, type Slot } from "#contract/jobs/assemblies/slots.ts";
import type { Job, JobOutput } from "#contract/jobs/jobs.ts";
import { readClipsOfVideos } from "../../../api/jobs.ts";

/** A clip of the current file, and all files that show it. */
export type Part = { name: string; outputs: readonly JobOutput[] };

/** In the slots' order; none without slots. */
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

export function partsOf<Output extends Pick<JobOutput, "video_id">>(
  slots: readonly Slot[],
  clipsOf: ReadonlyMap<string, readonly number[]>,
  outputs: readonly Output[],
  current: Output,
): { name: string; outputs: Output[] }[] {
  const clips = clipsOf.get(current.video_id) ?? [];
  return clips.map((clip, i) => ({
    name: clipName(slots[i]!, clip),
    outputs: outputs.filter(({ video_id: videoId }) => clipsOf.get(videoId)?.[i] === clip),
  }));
}
