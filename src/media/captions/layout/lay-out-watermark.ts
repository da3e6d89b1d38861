import { shorten, startsRightToLeft } from "./break-lines.ts";
import type { CaptionShape } from "./caption-shape.ts";
import { type Frame, safeAreaOf } from "./frame-areas.ts";
import type { MeasureText, TextLayout } from "./lay-out-caption.ts";

/** Share of the frame's shorter side. */
const SIZE = 0.032;
const SMALLEST_PIXELS = 8;
/** Share of the frame's width. The text has one line only. */
const WIDTH_SHARE = 0.5;

/** Share of the font size. */
export const WATERMARK_OUTLINE = 0.12;
const SHAPE: CaptionShape = {
  ascent: 1.1,
  descent: 0.3,
  besides: { x: WATERMARK_OUTLINE / 2, above: WATERMARK_OUTLINE / 2, below: WATERMARK_OUTLINE / 2 },
  lineHeight: 1.5,
};

/** One line at the bottom right of the safe area, shortened with an ellipsis. Empty text has no line. */
export function layOutWatermark(text: string, frame: Frame, measure: MeasureText): TextLayout {
  const sizePixels = Math.max(SMALLEST_PIXELS, Math.min(frame.width, frame.height) * SIZE);
  const line = text.replaceAll("\n", " ").trim();
  const maxWidth = (frame.width * WIDTH_SHARE) / sizePixels;
  const shown = measure(line) > maxWidth ? shorten(line, maxWidth, measure) : line;
  const { right, bottom } = safeAreaOf(frame);
  const width = measure(shown) * sizePixels;
  const centerX = right - SHAPE.besides.x * sizePixels - width / 2;
  const baselineY = bottom - (SHAPE.descent + SHAPE.besides.below) * sizePixels;
  const lines =
    shown === "" ? [] : [{ text: shown, isRightToLeft: startsRightToLeft(shown), centerX, baselineY, width }];
  return { sizePixels, shape: SHAPE, lines };
}
