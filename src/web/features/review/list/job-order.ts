import type { JobOutput } from "#contract/jobs/jobs.ts";

/** Sorts by video, variant and segment, as the server does. `positions` are by video id. */
export function addInJobOrder(
  outputs: readonly JobOutput[],
  added: readonly JobOutput[],
  positions: ReadonlyMap<string, number>,
): JobOutput[] {
  const positionOf = (output: JobOutput) => positions.get(output.video_id) ?? positions.size;
  return [...outputs, ...added].toSorted(
    (a, b) => positionOf(a) - positionOf(b) || a.variant - b.variant || a.segment - b.segment,
  );
}
