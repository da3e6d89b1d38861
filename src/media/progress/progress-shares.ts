import type { PlannedOutput, RenderPlan } from "../plan/render-plan.ts";

/** Encoding the picture takes nearly all of the time. */
const WEIGHTS = { picture: 1, sound: 0.05, joining: 0.03 };

export type RenderProgress = { share: number; byOutput: Map<string, number> };

/** `note` takes a stretch's or sound's id, or an output's key, with its share from 0 to 1. */
export function trackProgress(plan: RenderPlan): { note(part: string, share: number): void; read(): RenderProgress } {
  const shares = new Map<string, number>();
  const frames = new Map(plan.stretches.map(({ id, cut }) => [id, cut.frames]));
  return {
    note(part, share) {
      // Never decreases, whatever ffmpeg reports.
      shares.set(part, Math.max(shares.get(part) ?? 0, Math.min(1, Math.max(0, share))));
    },
    read() {
      const byOutput = new Map(plan.outputs.map((output) => [output.key, shareOf(output, shares, frames)]));
      const total = plan.outputs.reduce((sum, { seconds }) => sum + seconds, 0);
      const done = plan.outputs.reduce((sum, { key, seconds }) => sum + seconds * (byOutput.get(key) ?? 0), 0);
      return { share: total > 0 ? done / total : 0, byOutput };
    },
  };
}

function shareOf(
  output: PlannedOutput,
  shares: ReadonlyMap<string, number>,
  frames: ReadonlyMap<string, number>,
): number {
  const parts: [string, number][] = [[output.key, WEIGHTS.joining]];
  if (output.picture.from === "encoded") {
    const { stretches } = output.picture;
    const total = stretches.reduce((sum, id) => sum + frames.get(id)!, 0);
    for (const id of stretches) parts.push([id, (WEIGHTS.picture * frames.get(id)!) / total]);
  }
  if (output.sound.from === "encoded") parts.push([output.sound.id, WEIGHTS.sound]);
  const weight = parts.reduce((sum, [, weight]) => sum + weight, 0);
  return parts.reduce((sum, [part, weight]) => sum + weight * (shares.get(part) ?? 0), 0) / weight;
}
