import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { type FrameRate, framesIn, secondsOf } from "../fit-size.ts";
import type { Cut } from "../render-plan.ts";

/** Rounds to playback frames, so that consecutive clips neither repeat nor lose one. */
export function layCut(
  window: Window | null,
  source: { seconds: number; offsetSeconds: number; speed: number },
  rate: FrameRate,
): Cut {
  const { speed } = source;
  // From whole frames, because a source may end within its last one.
  const frameCount = Math.round(framesIn(source.seconds - source.offsetSeconds, rate) / speed);
  const firstFrame = framesIn((window?.startSeconds ?? 0) / speed, rate);
  // The last clip ends with the source's last frame.
  const isLast = window === null || window.endSeconds >= source.seconds;
  const endFrame = isLast ? frameCount : Math.min(framesIn(window.endSeconds / speed, rate), frameCount);
  const frames = Math.max(1, endFrame - firstFrame);
  return {
    firstFrame,
    startSeconds: secondsOf(firstFrame, rate),
    seconds: secondsOf(frames, rate),
    frames,
    isCutAtStart: firstFrame > 0,
    isCutAtEnd: firstFrame + frames < frameCount,
  };
}
