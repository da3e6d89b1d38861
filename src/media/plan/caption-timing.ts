import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { isWhole } from "./cut-footage.ts";
import { type FrameRate, framesIn } from "./frame-rate.ts";
import type { Cut, Footage } from "./render-plan.ts";

/**
 * Caption times count from the output's first frame. A caption fades where it appears or disappears within the output,
 * not at the output's ends. An output that ends before its caption starts has none.
 */
export function showCaption(
  cut: Cut,
  caption: string | null,
  settings: StreamSettings<"timing">,
  rate: FrameRate,
): Footage {
  const fromFrame = framesIn(settings.caption_start_seconds, rate);
  if (caption === null || fromFrame >= cut.frames) return { cut, caption: null, shown: null };
  const endSeconds = settings.caption_end_seconds;
  const endFrame = endSeconds === null ? cut.frames : Math.max(fromFrame + 1, framesIn(endSeconds, rate));
  const toFrame = Math.min(endFrame, cut.frames);
  const fade = Math.min(framesIn(settings.caption_fade / 1_000, rate), Math.floor((toFrame - fromFrame) / 2));
  const shown = {
    ...{ fromFrame, toFrame },
    fadeInFrames: fromFrame > 0 ? fade : 0,
    fadeOutFrames: toFrame < cut.frames ? fade : 0,
  };
  return { cut, caption, shown: isWhole(shown, cut.frames) ? null : shown };
}
