import { type CaptionLook, readCaption } from "./caption-shape.ts";
import { measureIn } from "../drawing/paint-text.ts";
import { countShown, isCaptionFitting, layOutCaption } from "./lay-out-caption.ts";
import { type Frame, UPRIGHT } from "./frame-areas.ts";

/** Of the first caption that does not fit: its index, its length and roughly how much fits, in graphemes. */
export type TooLong = { count: number; first: { index: number; characters: number; shown: number } };

/** Eight lines fit this many of the widest letters at the smallest size. */
const ALWAYS_FITTING = 50;

export function findTooLong(captions: readonly string[], look: CaptionLook, frame: Frame): TooLong | null {
  const indexes = [...captions.keys()].filter((index) => isTooLong(captions[index]!, look, frame));
  const [index] = indexes;
  if (index === undefined) return null;
  const drawable = readCaption(captions[index]!, look);
  const layout = layOutCaption(drawable.text, { ...look, font: drawable.font }, frame, measureIn(drawable));
  return { count: indexes.length, first: { index, ...countShown(drawable.text, layout) } };
}

function isTooLong(caption: string, look: CaptionLook, frame: Frame): boolean {
  const isUpright = frame.width === UPRIGHT.width && frame.height === UPRIGHT.height && !frame.platform;
  if (isUpright && caption.length <= ALWAYS_FITTING && !caption.includes("\n")) return false;
  const drawable = readCaption(caption, look);
  return !isCaptionFitting(drawable.text, { ...look, font: drawable.font }, frame, measureIn(drawable));
}
