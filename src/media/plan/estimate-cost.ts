/** What a plan costs, before anything is encoded. Pure. */
import { secondsOf } from "./frame-rate.ts";
import type { RenderPlan } from "./render-plan.ts";

/** Pixels of a minute of 1080p at 30 frames a second, which every cost is counted in. */
const PIXELS_PER_MINUTE = 1_920 * 1_080 * 30 * 60;
/** A minute of sound takes about a twentieth of the time that a minute of picture takes. */
const SOUND_SHARE = 0.05;

/**
 * The encoding that a plan takes, in minutes of 1080p at 30 frames a second: each distinct picture by its pixels and frames, each
 * distinct sound by its length. Copied streams cost nothing.
 */
export function estimateCost(plan: Pick<RenderPlan, "width" | "height" | "frameRate" | "pictures" | "sounds">): number {
  const frames = plan.pictures.reduce((sum, { cut }) => sum + cut.frames, 0);
  const soundSeconds = plan.sounds.reduce((sum, { cut }) => sum + secondsOf(cut.frames, plan.frameRate), 0);
  return (frames * plan.width * plan.height) / PIXELS_PER_MINUTE + (soundSeconds / 60) * SOUND_SHARE;
}
