import type { CaptionSize } from "#contract/jobs/jobs.ts";
import { splitGraphemes } from "../graphemes.ts";
import { breakLines, type Line, type Paragraph, readParagraphs, shorten, widestPiece } from "./break-lines.ts";
import { type CaptionLook, type CaptionShape, shapeOf } from "./caption-shape.ts";
import { type Area, captionAreaOf, type Frame } from "./frame-areas.ts";

/** Width in a font of one pixel. */
export type MeasureText = (text: string) => number;

/** Pixels from the frame's upper left. */
export type PlacedLine = Line & { centerX: number; baselineY: number; width: number };

export type TextLayout = { sizePixels: number; shape: CaptionShape; lines: PlacedLine[] };

/** `isCut`: only the beginning fits, and the last line ends in an ellipsis. */
type CaptionLayout = TextLayout & { isCut: boolean };

/** At the top or bottom; elsewhere, only the frame limits the lines. */
const MAX_LINES = 8;
/** Adds lines before shrinking letters below `COMFORTABLE_SHARE`. */
const PREFERRED_LINES = 4;
const COMFORTABLE_SHARE = 0.8;
/** Shares of the frame's shorter side. */
const MAX_SIZES: Record<CaptionSize, number> = { small: 0.054, medium: 0.072, large: 0.094 };
/** Smaller letters are hard to read on a phone. */
const SMALLEST_SIZE = 0.042;
const SIZE_STEP = 0.94;
const SMALLEST_PIXELS = 8;

/**
 * Prefers up to 4 lines of similar length at about the requested size, then more lines, then smaller letters. Splits a
 * word wider than its line unless slightly smaller letters avoid it. Text that does not fit at the smallest size ends
 * in an ellipsis.
 */
export function layOutCaption(text: string, look: CaptionLook, frame: Frame, measure: MeasureText): CaptionLayout {
  const room = roomFor(text, look, frame, measure);
  const { area, shape } = room;
  const [largest, smallest] = sizesFor(look.size, frame);
  const { sizePixels, lines } = findSize(room, largest, smallest) ?? { sizePixels: smallest, lines: null };
  const placed = lines ?? cutLines(room, sizePixels);
  const firstBaseline = firstBaselineOf(look, placed.length, { sizePixels, area, shape, frame });
  return {
    sizePixels,
    shape,
    isCut: lines === null,
    lines: placed.map(({ text: line, isRightToLeft }, i) => ({
      text: line,
      isRightToLeft,
      centerX: frame.width / 2,
      baselineY: firstBaseline + i * shape.lineHeight * sizePixels,
      width: measure(line) * sizePixels,
    })),
  };
}

export function isCaptionFitting(text: string, look: CaptionLook, frame: Frame, measure: MeasureText): boolean {
  const room = roomFor(text, look, frame, measure);
  const [, smallest] = sizesFor(look.size, frame);
  return breakInto(room, smallest, maxLinesFor(smallest, room)) !== null;
}

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

type Room = {
  paragraphs: Paragraph[];
  widest: number;
  area: Area;
  shape: CaptionShape;
  maxLines: number;
  measure: MeasureText;
};

function roomFor(text: string, look: CaptionLook, frame: Frame, measure: MeasureText): Room {
  const { style, font, position, y, language = null } = look;
  const paragraphs = readParagraphs(text, language);
  return {
    paragraphs,
    widest: widestPiece(paragraphs, measure),
    area: captionAreaOf(frame),
    shape: shapeOf(text, style, font),
    maxLines: position === "middle" || y !== null ? Infinity : MAX_LINES,
    measure,
  };
}

/** Returns the largest and the smallest font size, in pixels. */
export function sizesFor(size: CaptionSize, frame: Frame): [number, number] {
  const shorterSide = Math.min(frame.width, frame.height);
  const smallest = Math.max(SMALLEST_PIXELS, shorterSide * SMALLEST_SIZE);
  return [Math.max(smallest, shorterSide * MAX_SIZES[size]), smallest];
}

function findSize(room: Room, largest: number, smallest: number): { sizePixels: number; lines: Line[] } | null {
  const comfortable = Math.max(smallest, largest * COMFORTABLE_SHARE);
  const maxComfortableLines = Math.min(MAX_LINES, maxLinesFor(comfortable, room));
  const unsplitWidth = room.widest * comfortable <= widthFor(comfortable, room) ? room.widest : 0;
  for (let maxLines = Math.min(PREFERRED_LINES, maxComfortableLines); maxLines <= maxComfortableLines; maxLines++) {
    const found = findFitting(room, sizesDown(largest, comfortable), maxLines, unsplitWidth);
    if (found) return found;
  }
  const sizes = [...sizesDown(comfortable, smallest)];
  return findFitting(room, sizes, MAX_LINES) ?? findFitting(room, sizes, room.maxLines);
}

/** `wholePiece` is the width of a piece that must fit on one line. */
function findFitting(
  room: Room,
  sizes: Iterable<number>,
  maxLines: number,
  wholePiece = 0,
): { sizePixels: number; lines: Line[] } | null {
  for (const sizePixels of sizes) {
    if (wholePiece * sizePixels > widthFor(sizePixels, room)) continue;
    const lines = breakInto(room, sizePixels, Math.min(maxLines, maxLinesFor(sizePixels, room)));
    if (lines) return { sizePixels, lines: balance(lines, room, sizePixels) };
  }
  return null;
}

function* sizesDown(from: number, to: number): Generator<number> {
  for (let size = from; size > to; size *= SIZE_STEP) yield size;
  yield to;
}

function widthFor(sizePixels: number, { area, shape }: Pick<Room, "area" | "shape">): number {
  return Math.max(1, area.right - area.left - 2 * shape.besides.x * sizePixels);
}

function maxLinesFor(sizePixels: number, { area, shape, maxLines }: Room): number {
  const single = (shape.ascent + shape.descent + shape.besides.above + shape.besides.below) * sizePixels;
  const further = Math.floor((area.bottom - area.top - single) / (shape.lineHeight * sizePixels));
  return Math.max(1, Math.min(maxLines, 1 + further));
}

function breakInto(room: Room, sizePixels: number, maxLines: number): Line[] | null {
  const lines = breakLines(room.paragraphs, widthFor(sizePixels, room) / sizePixels, room.measure, maxLines);
  return lines.length > maxLines ? null : lines;
}

function cutLines(room: Room, sizePixels: number): Line[] {
  const maxWidth = widthFor(sizePixels, room) / sizePixels;
  const maxLines = maxLinesFor(sizePixels, room);
  const lines = breakLines(room.paragraphs, maxWidth, room.measure, maxLines).slice(0, maxLines);
  const last = lines.pop();
  return last ? [...lines, { ...last, text: shorten(last.text, maxWidth, room.measure) }] : [];
}

/** Narrows the column as far as the line count allows, so that no word stands alone on the last line. */
function balance(lines: Line[], { paragraphs, widest, ...room }: Room, sizePixels: number): Line[] {
  const maxWidth = widthFor(sizePixels, room) / sizePixels;
  let narrow = Math.max(maxWidth / Math.max(1, lines.length) / 2, Math.min(maxWidth, widest));
  let wide = maxWidth;
  let best = lines;
  while (wide - narrow > maxWidth / 100) {
    const middle = (narrow + wide) / 2;
    const tried = breakLines(paragraphs, middle, room.measure, lines.length);
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
  { position, y }: Pick<CaptionLook, "position" | "y">,
  lines: number,
  { sizePixels, area, shape, frame }: { sizePixels: number; area: Area; shape: CaptionShape; frame: Frame },
): number {
  const above = (shape.ascent + shape.besides.above) * sizePixels;
  const below = (shape.descent + shape.besides.below) * sizePixels;
  const between = (lines - 1) * shape.lineHeight * sizePixels;
  const lowest = area.bottom - below - between;
  if (position === "bottom" && y === null) return lowest;
  const highest = area.top + above;
  if (position === "top" && y === null) return Math.min(highest, lowest);
  const middle = (y ?? 0.5) * frame.height;
  return Math.min(lowest, Math.max(highest, (2 * middle - above - between - below) / 2 + above));
}

/** Counts the graphemes of a text and of the part that a cut layout shows. */
export function countShown(text: string, { lines }: TextLayout): { characters: number; shown: number } {
  const all = splitGraphemes(text);
  const drawn = lines.map((line) => line.text.replace(/[-…]$/u, "")).join("");
  let left = splitGraphemes(drawn).filter(isVisible).length;
  // Spaces at line ends are not drawn but count.
  const shown = all.findIndex((grapheme) => isVisible(grapheme) && left-- === 0);
  return { characters: all.length, shown: shown < 0 ? all.length : shown };
}

function isVisible(grapheme: string): boolean {
  return grapheme.trim() !== "" && grapheme !== "-";
}
