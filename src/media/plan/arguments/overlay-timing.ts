import type { FrameRate } from "../frame-rate.ts";
import type { Shown } from "../render-plan.ts";

/** `fades` follow the drawing's own filters; `enable` is an option of the overlay filter. */
export type OverlayTiming = { fades: string[]; enable: string };

/** The first frame of a fade in is empty; the last one is full. */
export function showWhile(shown: Shown, rate: FrameRate): OverlayTiming {
  const { fromFrame, toFrame, fadeInFrames, fadeOutFrames } = shown;
  const fades = [
    ...(fadeInFrames > 0 ? [`fade=t=in:s=${fromFrame}:n=${fadeInFrames}:alpha=1`] : []),
    ...(fadeOutFrames > 0 ? [`fade=t=out:s=${toFrame - fadeOutFrames}:n=${fadeOutFrames}:alpha=1`] : []),
  ];
  // A drawing is a single frame, but a fade needs one per video frame.
  const repeat = [`loop=loop=${toFrame - 1}:size=1`, `settb=${rate.denominator}/${rate.numerator}`, "setpts=N"];
  return {
    fades: fades.length > 0 ? [...repeat, ...fades] : [],
    enable: `:enable='between(n,${fromFrame},${toFrame - 1})'`,
  };
}
