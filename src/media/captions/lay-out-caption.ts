/** Where a caption goes and how large it is. Pure: how wide a text is comes from outside. */
import type { CaptionPosition, CaptionSize } from "#contract/jobs.ts";
import { breakLines, type Line, shorten, widestPiece } from "./break-lines.ts";
import type { CaptionLook } from "./caption-look.ts";
import { type CaptionShape, shapeOf } from "./caption-shape.ts";
import { type Area, captionAreaOf, type Frame } from "./frame-areas.ts";

/** The width of a text in a font of one pixel. */
export type MeasureText = (text: string) => number;

/** A line's middle, its baseline from the top of the frame, and its width, in pixels. */
type PlacedLine = Line & { centerX: number; baselineY: number; width: number };

export type TextLayout = { sizePixels: number; shape: CaptionShape; lines: PlacedLine[] };

const MOST_LINES = 4;
/** Shares of the frame's shorter side. */
const LARGEST_SIZES: Record<CaptionSize, number> = { small: 0.054, medium: 0.072, large: 0.094 };
const SMALLEST_SIZE = 0.028;
/** A word too long for the line makes the caption smaller down to here; then it is broken. */
const WORD_BREAKING_SIZE = 0.042;
const SIZE_STEP = 0.94;
const SMALLEST_PIXELS = 8;

/**
 * Lays a caption out at its position: the largest size at which it takes at most 4 lines without breaking a word, lines of
 * about one length. What does not fit at the smallest size ends in an ellipsis.
 */
export function layOutCaption(text: string, look: CaptionLook, frame: Frame, measure: MeasureText): TextLayout {
  const area = captionAreaOf(frame);
  const shape = shapeOf(text, look.style);
  const shorterSide = Math.min(frame.width, frame.height);
  const smallest = Math.max(SMALLEST_PIXELS, shorterSide * SMALLEST_SIZE);
  const widestWord = widestPiece(text, measure);
  let sizePixels = Math.max(smallest, shorterSide * LARGEST_SIZES[look.size]);
  let lines = fitLines(text, sizePixels, { area, shape, measure });
  while (sizePixels > smallest && (!lines || isWordBroken())) {
    sizePixels = Math.max(smallest, sizePixels * SIZE_STEP);
    lines = fitLines(text, sizePixels, { area, shape, measure });
  }
  lines ??= cutLines(text, sizePixels, { area, shape, measure });
  const firstBaseline = firstBaselineOf(look.position, lines.length, { sizePixels, area, shape, frame });
  return {
    sizePixels,
    shape,
    lines: lines.map(({ text: line, isRightToLeft }, i) => ({
      text: line,
      isRightToLeft,
      centerX: frame.width / 2,
      baselineY: firstBaseline + i * shape.lineHeight * sizePixels,
      width: measure(line) * sizePixels,
    })),
  };

  function isWordBroken(): boolean {
    const isBroken = widestWord * sizePixels > widthFor(sizePixels, area, shape);
    return isBroken && sizePixels > shorterSide * WORD_BREAKING_SIZE;
  }
}

/** Everything that a style draws for a layout of at least one line. */
export function areaOf({ sizePixels, shape, lines }: TextLayout): Area {
  const { ascent, descent, besides } = shape;
  const halves = lines.map(({ width }) => width / 2 + besides.x * sizePixels);
  return {
    left: Math.min(...lines.map(({ centerX }, i) => centerX - halves[i]!)),
    right: Math.max(...lines.map(({ centerX }, i) => centerX + halves[i]!)),
    top: Math.min(...lines.map(({ baselineY }) => baselineY)) - (ascent + besides.above) * sizePixels,
    bottom: Math.max(...lines.map(({ baselineY }) => baselineY)) + (descent + besides.below) * sizePixels,
  };
}

type Room = { area: Area; shape: CaptionShape; measure: MeasureText };

function widthFor(sizePixels: number, area: Area, shape: CaptionShape): number {
  return Math.max(1, area.right - area.left - 2 * shape.besides.x * sizePixels);
}

/** At most 4, on small pictures as many as there is height for. */
function mostLinesFor(sizePixels: number, { area, shape }: Room): number {
  const single = (shape.ascent + shape.descent + shape.besides.above + shape.besides.below) * sizePixels;
  const further = Math.floor((area.bottom - area.top - single) / (shape.lineHeight * sizePixels));
  return Math.max(1, Math.min(MOST_LINES, 1 + further));
}

/** The lines of a text that fits at this size; null when it does not. */
function fitLines(text: string, sizePixels: number, room: Room): Line[] | null {
  const maxWidth = widthFor(sizePixels, room.area, room.shape) / sizePixels;
  const mostLines = mostLinesFor(sizePixels, room);
  const lines = breakLines(text, maxWidth, room.measure, mostLines);
  return lines.length > mostLines ? null : balance(text, lines, maxWidth, room.measure);
}

/** As many lines as fit, the last one ending in an ellipsis. */
function cutLines(text: string, sizePixels: number, room: Room): Line[] {
  const maxWidth = widthFor(sizePixels, room.area, room.shape) / sizePixels;
  const mostLines = mostLinesFor(sizePixels, room);
  const lines = breakLines(text, maxWidth, room.measure, mostLines).slice(0, mostLines);
  const last = lines.pop();
  return last ? [...lines, { ...last, text: shorten(last.text, maxWidth, room.measure) }] : [];
}

/** The narrowest column that still gives the same number of lines: no word is left alone on the last one. */
function balance(text: string, lines: Line[], maxWidth: number, measure: MeasureText): Line[] {
  let narrow = Math.max(maxWidth / Math.max(1, lines.length) / 2, Math.min(maxWidth, widestPiece(text, measure)));
  let wide = maxWidth;
  let best = lines;
  while (wide - narrow > maxWidth / 100) {
    const middle = (narrow + wide) / 2;
    const tried = breakLines(text, middle, measure, lines.length);
    if (tried.length === lines.length) {
      best = tried;
      wide = middle;
    } else {
      narrow = middle;
    }
  }
  return best;
}

function firstBaselineOf(
  position: CaptionPosition,
  lines: number,
  { sizePixels, area, shape, frame }: { sizePixels: number; area: Area; shape: CaptionShape; frame: Frame },
): number {
  const above = (shape.ascent + shape.besides.above) * sizePixels;
  const below = (shape.descent + shape.besides.below) * sizePixels;
  const between = (lines - 1) * shape.lineHeight * sizePixels;
  const lowest = area.bottom - below - between;
  if (position === "bottom") return lowest;
  const highest = area.top + above;
  if (position === "top") return Math.min(highest, lowest);
  return Math.min(lowest, Math.max(highest, (frame.height - above - between - below) / 2 + above));
}
