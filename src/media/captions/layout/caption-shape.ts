/** Shares of the font size, by style and script. */
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { settingsOfPart } from "#contract/job-settings/setting-values.ts";
import { type CaptionFont, type CaptionStyle, JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import { type DrawableText, makeDrawable } from "../fonts/drawable-text.ts";
import { readHighlights, type TextRange } from "./read-highlights.ts";

export type CaptionShape = {
  /** Reach of letters above and below the baseline. */
  ascent: number;
  descent: number;
  /** Reach of the style beyond the letters. */
  besides: { x: number; above: number; below: number };
  lineHeight: number;
};

/** Width of the outline, edge to edge. */
export const OUTLINE = 0.17;

/** The soft shadow separates letters from the footage; the tight one and the edge keep them legible on white. */
export const SHADOWS = [
  { blur: 0.34, offset: 0.05, opacity: 0.8 },
  { blur: 0.12, offset: 0.02, opacity: 1 },
] as const;
export const SHADOW_EDGE = { width: 0.07, opacity: 0.55 };

const BESIDES: Record<CaptionStyle, CaptionShape["besides"]> = {
  outline: { x: OUTLINE / 2, above: OUTLINE / 2, below: OUTLINE / 2 },
  box: { x: 0.36, above: 0.06, below: 0.09 },
  shadow: { x: 0.3, above: 0.25, below: 0.35 },
};

/** `stacked` is the ascent with two accents on a capital. `scale` equalizes letter heights. */
export const FONT_METRICS: Record<CaptionFont, { scale: number; ascent: number; descent: number; stacked: number }> = {
  sans: { scale: 1, ascent: 0.97, descent: 0.27, stacked: 1.14 },
  condensed: { scale: 0.9, ascent: 0.98, descent: 0.33, stacked: 1.2 },
  rounded: { scale: 1, ascent: 1.02, descent: 0.3, stacked: 1.14 },
  serif: { scale: 1, ascent: 1.03, descent: 0.31, stacked: 1.2 },
};

/** Scripts with marks above and below letters. Those in DEEP also stack letters. */
const TALL =
  /[\p{sc=Arabic}\p{sc=Bengali}\p{sc=Devanagari}\p{sc=Gujarati}\p{sc=Gurmukhi}\p{sc=Lao}\p{sc=Tamil}\p{sc=Thai}]/u;
const DEEP = /[\p{sc=Kannada}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Telugu}]/u;
/** Two accents on a capital, as in Vietnamese, or three on anything. */
const STACKED_ACCENTS = /\p{Lu}\p{M}{2}|\p{M}{3}/u;

/** One shape for all lines: a single character of a tall script makes every line taller. */
export function shapeOf(text: string, style: CaptionStyle, font: CaptionFont): CaptionShape {
  const isDeep = DEEP.test(text);
  const isTall = isDeep || TALL.test(text) || STACKED_ACCENTS.test(text.normalize("NFD"));
  const metrics = FONT_METRICS[font];
  const [ascent, descent] = isTall ? [metrics.stacked, isDeep ? 0.6 : 0.46] : [metrics.ascent, metrics.descent];
  const besides = BESIDES[style];
  // Box lines touch, so that their boxes join.
  const boxHeight = besides.above + ascent + descent + besides.below;
  return { ascent, descent, besides, lineHeight: style === "box" ? boxHeight : isDeep ? 1.6 : isTall ? 1.5 : 1.2 };
}

type DrawingSettings = StreamSettings<"drawing">;
const PREFIX = "caption_";

export type CaptionLook = {
  [Name in keyof DrawingSettings as Name extends `${typeof PREFIX}${infer Rest}` ? Rest : Name]: DrawingSettings[Name];
} & {
  /** Of the text, if known: chooses fonts and the base direction. */
  language?: string | null;
};

export function lookOf(settings: DrawingSettings): CaptionLook {
  const drawing = Object.entries(settingsOfPart(settings, "drawing"));
  return Object.fromEntries(drawing.map(([name, value]) => [name.replace(PREFIX, ""), value])) as CaptionLook;
}

export const DEFAULT_LOOK = lookOf(JOB_DEFAULTS);

export function readCaption(text: string, look: CaptionLook): DrawableText & { highlights: TextRange[] } {
  const drawable = makeDrawable(text, look);
  return { ...drawable, ...(look.highlight ? readHighlights(drawable.text) : { highlights: [] }) };
}
