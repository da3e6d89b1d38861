import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import type { Size } from "../../plan/fit-size.ts";
import { shorten, startsRightToLeft } from "./break-lines.ts";
import type { CaptionShape } from "./caption-shape.ts";
import { type Area, type Box, type Frame, safeAreaOf } from "./frame-areas.ts";
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

/** Between image and text. Share of the frame's shorter side. */
const GAP = 0.015;

type ImagePlacement = Pick<StreamSettings<"watermark">, "watermark_position" | "watermark_scale">;

/**
 * Rounds to even pixels, because chroma has half the resolution. The width is a share of the frame's, less if the safe
 * area has no room. An image that would touch the watermark's `text` is placed above it.
 */
export function placeWatermarkImage(image: Size, placement: ImagePlacement, frame: Frame, text: Box | null): Box {
  const area = safeAreaOf(frame);
  const box = placeIn(area, image, placement, frame);
  if (!text || !touches(box, text)) return box;
  const gap = Math.min(frame.width, frame.height) * GAP;
  return placeIn({ ...area, bottom: text.y - gap }, image, placement, frame);
}

function placeIn(area: Area, image: Size, { watermark_position, watermark_scale }: ImagePlacement, frame: Frame): Box {
  const most = { width: area.right - area.left, height: area.bottom - area.top };
  const scale = Math.min(
    (frame.width * watermark_scale) / image.width,
    most.width / image.width,
    most.height / image.height,
  );
  const width = evenSize(image.width * scale);
  const height = evenSize(image.height * scale);
  const [across, down] = PLACES[watermark_position];
  return {
    x: along(across, width, { from: area.left, to: area.right, full: frame.width }),
    y: along(down, height, { from: area.top, to: area.bottom, full: frame.height }),
    width,
    height,
  };
}

type Place = "start" | "middle" | "end";

const PLACES: Record<ImagePlacement["watermark_position"], [across: Place, down: Place]> = {
  "top-left": ["start", "start"],
  top: ["middle", "start"],
  "top-right": ["end", "start"],
  left: ["start", "middle"],
  center: ["middle", "middle"],
  right: ["end", "middle"],
  "bottom-left": ["start", "end"],
  bottom: ["middle", "end"],
  "bottom-right": ["end", "end"],
};

/** `full` is the frame's length. "Middle" is the frame's, unless the safe area excludes it. */
function along(place: Place, length: number, { from, to, full }: { from: number; to: number; full: number }): number {
  const last = Math.max(from, to - length);
  const wanted =
    place === "start" ? from : place === "end" ? last : Math.min(last, Math.max(from, (full - length) / 2));
  return Math.max(0, 2 * Math.round(wanted / 2));
}

function evenSize(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2));
}

function touches(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
