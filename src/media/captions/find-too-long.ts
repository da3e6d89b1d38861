import type { CaptionLook } from "./caption-look.ts";
import { measureIn } from "./draw-text.ts";
import { makeDrawable } from "./drawable-text.ts";
import { countShown } from "./count-shown.ts";
import { isCaptionFitting, layOutCaption } from "./lay-out-caption.ts";

/** A caption that does not fit: its characters, and about how many of them would. */
export type TooLong = { index: number; characters: number; shown: number };

/** The shape that most short videos have. */
const UPRIGHT = { width: 1_080, height: 1_920 };
/** Eight lines hold so many of the widest letters at the smallest size, wherever they break. */
const ALWAYS_FITTING = 50;

/** Finds the captions that do not fit whole on a 9:16 video. */
export function findTooLong(captions: readonly string[], look: CaptionLook): TooLong[] {
  return captions.flatMap((caption, index) => {
    if (caption.length <= ALWAYS_FITTING && !caption.includes("\n")) return [];
    const drawable = makeDrawable(caption);
    const measure = measureIn(drawable);
    if (isCaptionFitting(drawable.text, look, UPRIGHT, measure)) return [];
    return [{ index, ...countShown(drawable.text, layOutCaption(drawable.text, look, UPRIGHT, measure)) }];
  });
}
