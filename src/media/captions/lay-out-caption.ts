/** Where a caption goes and how large it is. Pure: how wide a text is comes from outside. */
import { breakLines, hasTooWideWord, shorten } from "./break-lines.ts";

/** A picture's size in pixels. */
export type Frame = { width: number; height: number };

export type CaptionLayout = {
  sizePixels: number;
  outlinePixels: number;
  /** Each line's middle, and its baseline from the top of the frame. */
  lines: { text: string; centerX: number; baselineY: number }[];
};

/** The part of a frame that apps leave free of their own controls. */
export type SafeArea = { left: number; right: number; top: number; bottom: number };

const MOST_LINES = 4;
/** Shares of the frame's shorter side. */
const LARGEST_SIZE = 0.072;
const SMALLEST_SIZE = 0.028;
const SIZE_STEP = 0.94;
/** Kept free below a caption, whether there is a watermark or not. */
const WATERMARK_ROOM = 0.055;
/** Shares of the size. */
const LINE_HEIGHT = 1.2;
const OUTLINE = 0.17;
const ASCENT = 0.97;
const DESCENT = 0.24;

/** 8 % at the sides and top; at the bottom what the apps' own captions and buttons cover: more of a portrait picture. */
export function safeAreaOf({ width, height }: Frame): SafeArea {
  const bottomShare = height > width ? 0.18 : 0.08;
  return { left: width * 0.08, right: width * 0.92, top: height * 0.08, bottom: height * (1 - bottomShare) };
}

/**
 * Lays a caption out in the lower third: the largest size at which it takes at most 4 lines without breaking a word, lines of
 * about one length, the last one just above the watermark's place. What does not fit at the smallest size ends in an ellipsis.
 */
export function layOutCaption(
  text: string,
  frame: Frame,
  measureAt: (text: string, sizePixels: number) => number,
): CaptionLayout {
  const area = safeAreaOf(frame);
  const shorterSide = Math.min(frame.width, frame.height);
  const smallest = Math.max(8, shorterSide * SMALLEST_SIZE);
  let sizePixels = Math.max(smallest, shorterSide * LARGEST_SIZE);
  let fitted = fitLines(text, sizePixels, area, measureAt);
  while (!fitted.isWhole && sizePixels > smallest) {
    sizePixels = Math.max(smallest, sizePixels * SIZE_STEP);
    fitted = fitLines(text, sizePixels, area, measureAt);
  }
  const outlinePixels = sizePixels * OUTLINE;
  const lineHeight = sizePixels * LINE_HEIGHT;
  const bottom = area.bottom - shorterSide * WATERMARK_ROOM;
  const lastBaseline = bottom - sizePixels * DESCENT - outlinePixels / 2;
  return {
    sizePixels,
    outlinePixels,
    lines: fitted.lines.map((line, i) => ({
      text: line,
      centerX: frame.width / 2,
      baselineY: lastBaseline - (fitted.lines.length - 1 - i) * lineHeight,
    })),
  };
}

/** The box of everything drawn for a layout of at least one line, on even pixels, inside the frame: chroma has half the resolution. */
export function boxOf(
  layout: CaptionLayout,
  frame: Frame,
  measureAt: (text: string, sizePixels: number) => number,
): { x: number; y: number; width: number; height: number } {
  const { sizePixels, outlinePixels, lines } = layout;
  const margin = outlinePixels + 2;
  const halves = lines.map(({ text }) => measureAt(text, sizePixels) / 2 + margin);
  const x = evenBelow(Math.max(0, Math.min(...lines.map(({ centerX }, i) => centerX - halves[i]!))));
  const y = evenBelow(Math.max(0, Math.min(...lines.map(({ baselineY }) => baselineY - sizePixels * ASCENT - margin))));
  const right = Math.min(frame.width, Math.max(...lines.map(({ centerX }, i) => centerX + halves[i]!)));
  const bottom = Math.min(
    frame.height,
    Math.max(...lines.map(({ baselineY }) => baselineY + sizePixels * DESCENT + margin)),
  );
  return { x, y, width: Math.max(2, evenBelow(right - x + 1)), height: Math.max(2, evenBelow(bottom - y + 1)) };
}

function fitLines(
  text: string,
  sizePixels: number,
  area: SafeArea,
  measureAt: (text: string, sizePixels: number) => number,
): { lines: string[]; isWhole: boolean } {
  const maxWidth = area.right - area.left - sizePixels * OUTLINE;
  const measure = (part: string) => measureAt(part, sizePixels);
  const lines = breakLines(text, maxWidth, measure);
  if (lines.length > MOST_LINES) {
    const last = shorten(lines[MOST_LINES - 1] ?? "", maxWidth, measure);
    return { lines: [...lines.slice(0, MOST_LINES - 1), last], isWhole: false };
  }
  return { lines: balance(text, lines, maxWidth, measure), isWhole: !hasTooWideWord(text, maxWidth, measure) };
}

/** The narrowest column that still gives the same number of lines: no word is left alone on the last one. */
function balance(text: string, lines: string[], maxWidth: number, measure: (part: string) => number): string[] {
  let narrow = maxWidth / Math.max(1, lines.length) / 2;
  let wide = maxWidth;
  let best = lines;
  while (wide - narrow > maxWidth / 100) {
    const middle = (narrow + wide) / 2;
    const tried = breakLines(text, middle, measure);
    if (tried.length === lines.length && !hasTooWideWord(text, middle, measure)) {
      best = tried;
      wide = middle;
    } else {
      narrow = middle;
    }
  }
  return best;
}

function evenBelow(pixels: number): number {
  const whole = Math.floor(pixels);
  return whole - (whole % 2);
}
