import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { isRightToLeft } from "./break-lines.ts";
import type { CaptionLook, CaptionShape } from "./caption-shape.ts";
import { type Area, captionAreaOf, type Frame } from "./frame-areas.ts";
import { type MeasureText, sizesFor, type TextLayout } from "./lay-out-caption.ts";

/** Words from `from` to before `to`, in another color or in a box. */
export type SubtitleMark = { from: number; to: number; as: "accent" | "box" };

/** All subtitles of a video have one shape and position, so that their drawings have one size. */
export type SubtitleText = {
  /** Words by row, at most two. Each word ends in the space that follows it, if any. */
  rows: readonly (readonly string[])[];
  mark: SubtitleMark | null;
  shape: CaptionShape;
  position: NonNullable<JobSettings["subtitle_position"]>;
  /** Chooses fonts and the base direction; by default, the text does. */
  language?: string;
};

const MOST_ROWS = 2;
/** Of a row, where the width leaves room for so many. */
const MOST_CHARACTERS = 42;
/** Landscape frames have room for 42 letters of this share of the captions' size. */
const LANDSCAPE_SHARE = 0.75;
const SMALLEST_PIXELS = 8;

function sizeOf({ size }: CaptionLook, frame: Frame): number {
  const [largest] = sizesFor(size, frame);
  return frame.width > frame.height ? largest * LANDSCAPE_SHARE : largest;
}

/** Returns how much a row can hold. `maxWidth` is in shares of the font size. */
export function roomOfRow(look: CaptionLook, shape: CaptionShape, frame: Frame) {
  const { left, right } = captionAreaOf(frame);
  const maxWidth = (right - left) / sizeOf(look, frame) - 2 * shape.besides.x;
  return { maxWidth: Math.max(1, maxWidth), mostCharacters: MOST_CHARACTERS };
}

/** Returns the area of two full rows: that of each drawing. */
export function areaOfSubtitles({ shape, position }: SubtitleText, look: CaptionLook, frame: Frame): Area {
  const area = captionAreaOf(frame);
  const { ascent, descent, besides, lineHeight } = shape;
  const rows = ascent + descent + besides.above + besides.below + (MOST_ROWS - 1) * lineHeight;
  const height = Math.min(rows * sizeOf(look, frame), area.bottom - area.top);
  const tops = { top: area.top, middle: (frame.height - height) / 2, bottom: area.bottom - height };
  const top = Math.max(area.top, Math.min(tops[position], area.bottom - height));
  return { left: area.left, right: area.right, top, bottom: top + height };
}

/** Rows that are too wide get smaller letters. A single row is at the top, in the middle or at the bottom. */
export function layOutSubtitle(
  rows: readonly string[],
  text: SubtitleText,
  look: CaptionLook,
  { frame, measure }: { frame: Frame; measure: MeasureText },
): TextLayout {
  const { shape, position } = text;
  const area = areaOfSubtitles(text, look, frame);
  const widths = rows.map((row) => measure(row));
  const fitting = (area.right - area.left) / (Math.max(0, ...widths) + 2 * shape.besides.x);
  const sizePixels = Math.max(SMALLEST_PIXELS, Math.min(sizeOf(look, frame), fitting));
  const { ascent, descent, besides, lineHeight } = shape;
  const used = (ascent + descent + besides.above + besides.below + (rows.length - 1) * lineHeight) * sizePixels;
  const spare = area.bottom - area.top - used;
  const top = area.top + { top: 0, middle: spare / 2, bottom: spare }[position];
  return {
    sizePixels,
    shape,
    lines: rows.map((row, i) => ({
      text: row,
      isRightToLeft: isRightToLeft(row, text.language ?? null),
      centerX: (area.left + area.right) / 2,
      baselineY: top + (ascent + besides.above + i * lineHeight) * sizePixels,
      width: widths[i]! * sizePixels,
    })),
  };
}
