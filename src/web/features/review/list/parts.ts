import { clipName, type Slot } from "#contract/jobs/assemblies/slots.ts";
import type { JobOutput } from "#contract/jobs/jobs.ts";

/** A clip of the current file, and all files that show it. */
export type Part<Output = JobOutput> = { name: string; outputs: readonly Output[] };

/** In the slots' order. `clipsOf` is by the video's id. */
export function partsOf<Output extends Pick<JobOutput, "video_id">>(
  slots: readonly Slot[],
  clipsOf: ReadonlyMap<string, readonly number[]>,
  outputs: readonly Output[],
  current: Output,
): Part<Output>[] {
  const clips = clipsOf.get(current.video_id) ?? [];
  return clips.map((clip, i) => ({
    name: clipName(slots[i]!, clip),
    outputs: outputs.filter(({ video_id: videoId }) => clipsOf.get(videoId)?.[i] === clip),
  }));
}
