/** Where the watermark goes. Pure: how wide a text is comes from outside. */
import { shorten } from "./break-lines.ts";
import { type CaptionLayout, type Frame, safeAreaOf } from "./lay-out-caption.ts";

/** Share of the frame's shorter side. */
const SIZE = 0.032;
const SMALLEST_PIXELS = 8;
/** Below the baseline, as a share of the size. */
const DESCENT = 0.3;
/** As a share of the size. */
const OUTLINE = 0.08;
/** It may take half of the width, and the space down here is for one line. */
const WIDTH_SHARE = 0.5;

/** Lays one line out at the bottom right of the safe area, in a thin outline; too long a text ends in an ellipsis. */
export function layOutWatermark(
  text: string,
  frame: Frame,
  measureAt: (text: string, sizePixels: number) => number,
): CaptionLayout {
  const sizePixels = Math.max(SMALLEST_PIXELS, Math.min(frame.width, frame.height) * SIZE);
  const line = text.replaceAll(/\s+/g, " ").trim();
  const measure = (part: string) => measureAt(part, sizePixels);
  const maxWidth = frame.width * WIDTH_SHARE;
  const shown = measure(line) > maxWidth ? shorten(line, maxWidth, measure) : line;
  const outlinePixels = sizePixels * OUTLINE;
  const { right, bottom } = safeAreaOf(frame);
  const place = { centerX: right - outlinePixels - measure(shown) / 2, baselineY: bottom - sizePixels * DESCENT };
  return { sizePixels, outlinePixels, lines: shown === "" ? [] : [{ text: shown, ...place }] };
}
