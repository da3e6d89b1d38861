import type { PlannedSound, PlannedStretch, RenderPlan } from "./render-plan.ts";

/** A minute of 1080p at 30 frames per second. */
const PIXELS_PER_MINUTE = 1_920 * 1_080 * 30 * 60;
/** Encoding a minute of audio takes about a twentieth of a minute of video. */
const SOUND_SHARE = 0.05;

/** Returns minutes of 1080p at 30 frames per second. Copied streams cost nothing. */
export function estimateCost(
  plan: Pick<RenderPlan, "width" | "height"> & {
    stretches: readonly Pick<PlannedStretch, "cut">[];
    sounds: readonly Pick<PlannedSound, "seconds">[];
  },
): number {
  const frames = plan.stretches.reduce((sum, { cut }) => sum + cut.frames, 0);
  const soundSeconds = plan.sounds.reduce((sum, { seconds }) => sum + seconds, 0);
  return (frames * plan.width * plan.height) / PIXELS_PER_MINUTE + (soundSeconds / 60) * SOUND_SHARE;
}
