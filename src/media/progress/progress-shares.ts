/** How far a plan is: the share of each output, and of all. Pure. */
import type { PlannedOutput, RenderPlan } from "../plan/render-plan.ts";

/** What a part of an output weighs, by the time it takes: a picture's encode is nearly all of it. */
const WEIGHTS = { picture: 1, sound: 0.05, joining: 0.03 };

export type RenderProgress = { share: number; byOutput: Map<string, number> };

/** Keeps the shares of a plan's parts; `note` takes a picture's or sound's id, or an output's key, with its share from 0 to 1. */
export function trackProgress(plan: RenderPlan): { note(part: string, share: number): void; read(): RenderProgress } {
  const shares = new Map<string, number>();
  return {
    note(part, share) {
      // never backwards, whatever ffmpeg says
      shares.set(part, Math.max(shares.get(part) ?? 0, Math.min(1, Math.max(0, share))));
    },
    read() {
      const byOutput = new Map(plan.outputs.map((output) => [output.key, shareOf(output, shares)]));
      const total = plan.outputs.reduce((sum, { seconds }) => sum + seconds, 0);
      const done = plan.outputs.reduce((sum, { key, seconds }) => sum + seconds * (byOutput.get(key) ?? 0), 0);
      return { share: total > 0 ? done / total : 0, byOutput };
    },
  };
}

function shareOf(output: PlannedOutput, shares: ReadonlyMap<string, number>): number {
  const parts: [string, number][] = [[output.key, WEIGHTS.joining]];
  if (output.picture.from === "encoded") parts.push([output.picture.id, WEIGHTS.picture]);
  if (output.sound.from === "encoded") parts.push([output.sound.id, WEIGHTS.sound]);
  const weight = parts.reduce((sum, [, weight]) => sum + weight, 0);
  return parts.reduce((sum, [part, weight]) => sum + weight * (shares.get(part) ?? 0), 0) / weight;
}
