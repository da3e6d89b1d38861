import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { DrawableText } from "../fonts/drawable-text.ts";
import { registerFonts } from "../fonts/register-fonts.ts";
import { FONT_METRICS } from "../layout/caption-shape.ts";
import type { MeasureText } from "../layout/lay-out-caption.ts";

/** Widths scale, so one size suffices; large, to limit rounding errors. */
const MEASURED_PIXELS = 100;
const measuring = createCanvas(1, 1).getContext("2d");

export function measureIn(drawable: DrawableText): MeasureText {
  setFont(measuring, MEASURED_PIXELS, drawable);
  const widths = new Map<string, number>();
  return (text) => {
    const width = widths.get(text) ?? measuring.measureText(text).width / MEASURED_PIXELS;
    widths.set(text, width);
    return width;
  };
}

export function setFont(context: SKRSContext2D, sizePixels: number, { font, fonts }: DrawableText): void {
  registerFonts(fonts);
  const families = fonts.map(({ family }) => `"${family}"`);
  context.font = `${sizePixels * FONT_METRICS[font].scale}px ${families.join(", ")}`;
}
