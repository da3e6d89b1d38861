import type { CaptionFont, CaptionStyle, CaptionWeight } from "#contract/jobs/jobs.ts";
import { breakLines, readParagraphs, shorten } from "./break-lines.ts";
import { type CaptionShape, shapeOf } from "./caption-shape.ts";
import { type Frame, type Place, placeWithin, safeAreaOf, sideOf } from "./frame-areas.ts";
import type { MeasureText, TextLayout } from "./lay-out-caption.ts";

/** `size` is the font's, as a share of the frame's shorter side. */
export type TextLook = Place & {
  style: CaptionStyle;
  font: CaptionFont;
  weight: CaptionWeight;
  color: string;
  box_color: string;
  size: number;
  opacity: number;
};

const SMALLEST_PIXELS = 8;
const SIZE_STEP = 0.94;

/**
 * Keeps typed lines, breaks those that are too wide, and takes smaller letters if there are too many. Lines at a side
 * start or end there; others are centered. Text that does not fit with the smallest letters ends in an ellipsis.
 */
export function layOutText(text: string, look: TextLook, frame: Frame, measure: MeasureText): TextLayout {
  const area = safeAreaOf(frame);
  const shape = shapeOf(text, look.style, look.font);
  const paragraphs = readParagraphs(text);
  let sizePixels = Math.max(SMALLEST_PIXELS, Math.min(frame.width, frame.height) * look.size);
  const fit = () => {
    const maxWidth = Math.max(1, area.right - area.left - 2 * shape.besides.x * sizePixels) / sizePixels;
    const maxLines = linesIn(area.bottom - area.top, shape, sizePixels);
    return { maxWidth, maxLines, lines: breakLines(paragraphs, maxWidth, measure, maxLines) };
  };
  let fitted = fit();
  while (fitted.lines.length > fitted.maxLines && sizePixels > SMALLEST_PIXELS) {
    sizePixels = Math.max(SMALLEST_PIXELS, sizePixels * SIZE_STEP);
    fitted = fit();
  }
  const lines = fitted.lines.slice(0, fitted.maxLines);
  const last = lines.at(-1);
  if (last && fitted.lines.length > lines.length) last.text = shorten(last.text, fitted.maxWidth, measure);
  const widths = lines.map((line) => measure(line.text) * sizePixels);
  const beside = shape.besides.x * sizePixels;
  const box = { width: Math.max(0, ...widths) + 2 * beside, height: heightOf(lines.length, shape, sizePixels) };
  const { x, y } = placeWithin(area, box, look, frame);
  const side = sideOf(look);
  return {
    sizePixels,
    shape,
    lines: lines.map((line, i) => {
      const width = widths[i]!;
      const spare = box.width - 2 * beside - width;
      const left = x + beside + (side === "start" ? 0 : side === "end" ? spare : spare / 2);
      const baselineY = y + (shape.ascent + shape.besides.above + i * shape.lineHeight) * sizePixels;
      return Object.assign({ width, centerX: left + width / 2, baselineY }, line);
    }),
  };
}

function heightOf(lines: number, { ascent, descent, besides, lineHeight }: CaptionShape, sizePixels: number): number {
  const single = ascent + descent + besides.above + besides.below;
  return (single + (lines - 1) * lineHeight) * sizePixels;
}

function linesIn(height: number, shape: CaptionShape, sizePixels: number): number {
  const spare = height - heightOf(1, shape, sizePixels);
  return Math.max(1, 1 + Math.floor(spare / (shape.lineHeight * sizePixels)));
}
