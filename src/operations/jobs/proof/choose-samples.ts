import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { parseSampleRows } from "#contract/jobs/sample-rows.ts";
import { sha256Of } from "#ground/checksum.ts";

type ProofSettings = Pick<JobSettings, "proof_count" | "proof_pick" | "proof_rows">;

/**
 * Returns variants by video position; empty without a proof. Prefers different videos, then their next variants.
 * `variants` has each video's count; `seed` makes the random choice repeatable, so that a changed job shows the same
 * videos again. Pure.
 */
export function chooseSamples(
  settings: ProofSettings,
  variants: readonly number[],
  seed: string,
): ReadonlyMap<number, number[]> {
  const samples = new Map<number, number[]>();
  const positions = orderPositions(settings, variants.length, seed);
  const mostVariants = positions.reduce((most, position) => Math.max(most, variants[position]!), 0);
  let left = settings.proof_count;
  for (let variant = 0; variant < mostVariants && left > 0; variant += 1) {
    for (const position of positions) {
      if (left === 0) break;
      if (variant >= variants[position]!) continue;
      samples.set(position, [...(samples.get(position) ?? []), variant]);
      left -= 1;
    }
  }
  return samples;
}

function orderPositions({ proof_pick: pick, proof_rows: rows }: ProofSettings, videos: number, seed: string): number[] {
  const all = Array.from({ length: videos }, (_, position) => position);
  switch (pick) {
    case "first":
      return all;
    case "random":
      return all
        .map((position) => ({ position, place: sha256Of(`${seed} ${position}`) }))
        .toSorted((a, b) => (a.place < b.place ? -1 : 1))
        .map(({ position }) => position);
    case "rows":
      return (parseSampleRows(rows ?? "") ?? []).map((row) => row - 1).filter((position) => position < videos);
  }
}
