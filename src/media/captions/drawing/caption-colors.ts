import { contrastOf, rgbOf } from "#contract/colors.ts";
import { type CaptionLook, DEFAULT_LOOK } from "../layout/caption-look.ts";

/** CSS colors, except `edge` (outlines and shadows): three channels. */
export type CaptionColors = { letters: string; highlight: string; box: string; edge: string };

const HIGHLIGHTS = ["#ffd60a", "#d70015", "#ffffff", "#000000"];
const LEAST_CONTRAST = 3;
/** Sum over the three channels, each up to 1. */
const LEAST_DIFFERENCE = 0.6;

/**
 * Edges are black around light letters and white around dark ones: a contrast of at least 4.5. The highlight is the
 * first that is legible on the box or edge and differs from the letters.
 */
export function colorsOf({ style, color, box_color }: CaptionLook): CaptionColors {
  const letters = rgbOf(color);
  const edge = contrastOf(letters, rgbOf("#000000")) >= contrastOf(letters, rgbOf("#ffffff")) ? "#000000" : "#ffffff";
  const around = rgbOf(style === "box" ? box_color : edge);
  const isDistinct = (highlight: string) => {
    const { red, green, blue } = rgbOf(highlight);
    const difference = Math.abs(red - letters.red) + Math.abs(green - letters.green) + Math.abs(blue - letters.blue);
    return difference >= LEAST_DIFFERENCE && contrastOf({ red, green, blue }, around) >= LEAST_CONTRAST;
  };
  return {
    letters: color,
    highlight: HIGHLIGHTS.find(isDistinct) ?? HIGHLIGHTS[0]!,
    box: box_color,
    edge: edge === "#000000" ? "0 0 0" : "255 255 255",
  };
}

export const WHITE: CaptionColors = colorsOf(DEFAULT_LOOK);
