import type { JobOutput } from "#contract/jobs/jobs.ts";

export const REVIEW_FILTERS = ["unreviewed", "approved", "rejected", "all"] as const;
export type ReviewFilter = (typeof REVIEW_FILTERS)[number];

type Reviewed = Pick<JobOutput, "id" | "verdict">;

function matches({ verdict }: Reviewed, filter: ReviewFilter): boolean {
  return filter === "all" || filter === (verdict ?? "unreviewed");
}

export function countVerdicts(outputs: readonly Reviewed[]): Record<ReviewFilter, number> {
  const counts = { unreviewed: 0, approved: 0, rejected: 0, all: outputs.length };
  for (const { verdict } of outputs) counts[verdict ?? "unreviewed"] += 1;
  return counts;
}

/** Keeps the current file until the reviewer moves on, whatever its verdict. */
export function filterOutputs<Output extends Reviewed>(
  outputs: readonly Output[],
  filter: ReviewFilter,
  currentId: string | null,
): readonly Output[] {
  return filter === "all" ? outputs : outputs.filter((output) => output.id === currentId || matches(output, filter));
}

/** Returns null past either end. */
export function stepFrom<Output extends Reviewed>(list: readonly Output[], id: string, by: 1 | -1): Output | null {
  const at = list.findIndex((output) => output.id === id);
  return list[at + by] ?? null;
}

/** Returns the next file, or else the first one left; null without any. */
export function nextToReview<Output extends Reviewed>(
  list: readonly Output[],
  id: string,
  filter: ReviewFilter,
): Output | null {
  const next = stepFrom(list, id, 1);
  if (next || filter !== "unreviewed") return next;
  return list.find((output) => output.id !== id && matches(output, filter)) ?? null;
}

/** Returns variants of the same segment, for side-by-side review. */
export function variantsOf<Output extends Pick<JobOutput, "video_id" | "segment">>(
  outputs: readonly Output[],
  { video_id: videoId, segment }: Output,
): Output[] {
  return outputs.filter((output) => output.video_id === videoId && output.segment === segment);
}

/** Returns up to `most` earlier reasons, most frequent first. */
export function usualReasons(outputs: readonly Pick<JobOutput, "reason">[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const { reason } of outputs) if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([reason]) => reason);
}
