import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import { contrastOf, rgbOf } from "#contract/colors.ts";
import type { CaptionStyle } from "#contract/jobs/jobs.ts";
import type { DrawableText } from "../fonts/drawable-text.ts";
import { registerFonts } from "../fonts/caption-fonts.ts";
import {
  type CaptionLook,
  DEFAULT_LOOK,
  FONT_METRICS,
  OUTLINE,
  SHADOW_EDGE,
  SHADOWS,
} from "../layout/caption-shape.ts";
import { joinBoxes } from "../layout/joined-boxes.ts";
import type { MeasureText, PlacedLine, TextLayout } from "../layout/lay-out-caption.ts";
import type { Span } from "../layout/place-highlights.ts";

/** Share of the font size. */
const BOX_RADIUS = 0.28;

type Paint = CaptionColors & { highlights?: readonly Span[][] };

export const PAINTERS: Record<CaptionStyle, (context: SKRSContext2D, layout: TextLayout, paint: Paint) => void> = {
  outline: (context, layout, paint) => drawOutlined(context, layout, paint, OUTLINE),
  box: drawBoxed,
  shadow: drawShadowed,
};

/** `outline` is its width, edge to edge, as a share of the font size. */
export function drawOutlined(context: SKRSContext2D, layout: TextLayout, paint: Paint, outline: number): void {
  context.lineJoin = "round";
  context.lineWidth = outline * layout.sizePixels;
  context.strokeStyle = `rgb(${paint.edge})`;
  // All outlines first, so that the next line's outline never covers this line's letters.
  drawLines(context, layout, "strokeText");
  fillLines(context, layout, paint);
}

function drawBoxed(context: SKRSContext2D, layout: TextLayout, paint: Paint): void {
  const { sizePixels, lines, shape } = layout;
  const { ascent, descent, besides } = shape;
  const boxes = lines.map(({ centerX, baselineY, width }) => ({
    left: centerX - width / 2 - besides.x * sizePixels,
    right: centerX + width / 2 + besides.x * sizePixels,
    top: baselineY - (ascent + besides.above) * sizePixels,
    bottom: baselineY + (descent + besides.below) * sizePixels,
  }));
  const corners = joinBoxes(boxes, BOX_RADIUS * sizePixels);
  const [last, first] = [corners.at(-1)!, corners[0]!];
  context.beginPath();
  context.moveTo((last.x + first.x) / 2, (last.y + first.y) / 2);
  corners.forEach((corner, i) => {
    const next = corners[(i + 1) % corners.length]!;
    context.arcTo(corner.x, corner.y, (corner.x + next.x) / 2, (corner.y + next.y) / 2, corner.radius);
  });
  context.closePath();
  context.fillStyle = paint.box;
  context.fill();
  fillLines(context, layout, paint);
}

function drawShadowed(context: SKRSContext2D, layout: TextLayout, paint: Paint): void {
  context.fillStyle = paint.letters;
  context.lineJoin = "round";
  context.lineWidth = SHADOW_EDGE.width * layout.sizePixels;
  for (const { blur, offset, opacity } of SHADOWS) {
    context.shadowColor = `rgb(${paint.edge} / ${opacity * 100}%)`;
    context.shadowBlur = blur * layout.sizePixels;
    context.shadowOffsetY = offset * layout.sizePixels;
    drawLines(context, layout, "fillText");
  }
  context.shadowColor = "transparent";
  context.strokeStyle = `rgb(${paint.edge} / ${SHADOW_EDGE.opacity * 100}%)`;
  drawLines(context, layout, "strokeText");
  // Fills the letters again, because the next line's shadow may cover them.
  fillLines(context, layout, paint);
}

function drawLines(context: SKRSContext2D, { lines }: TextLayout, verb: "strokeText" | "fillText"): void {
  for (const line of lines) drawLine(context, line, verb);
}

function drawLine(
  context: SKRSContext2D,
  { text, isRightToLeft, centerX, baselineY }: PlacedLine,
  verb: "strokeText" | "fillText",
): void {
  context.textAlign = "center";
  context.direction = isRightToLeft ? "rtl" : "ltr";
  context[verb](text, centerX, baselineY);
}

function fillLines(
  context: SKRSContext2D,
  { lines }: TextLayout,
  { letters, highlight, highlights = [] }: Pick<Paint, "letters" | "highlight" | "highlights">,
): void {
  for (const [i, line] of lines.entries()) {
    const spans = highlights[i] ?? [];
    context.fillStyle = letters;
    clipped(context, spans, "outside", () => drawLine(context, line, "fillText"));
    if (spans.length === 0) continue;
    context.fillStyle = highlight;
    clipped(context, spans, "inside", () => drawLine(context, line, "fillText"));
  }
}

/** Draws the letters within the spans of each line again. */
export function fillWithin(
  context: SKRSContext2D,
  { lines }: TextLayout,
  spans: readonly (readonly Span[])[],
  color: string,
): void {
  context.fillStyle = color;
  for (const [i, line] of lines.entries()) {
    if (spans[i]?.length) clipped(context, spans[i], "inside", () => drawLine(context, line, "fillText"));
  }
}

const ENDLESS = 1e5;

function clipped(
  context: SKRSContext2D,
  spans: readonly Span[],
  side: "inside" | "outside",
  drawAll: () => void,
): void {
  if (spans.length === 0) return drawAll();
  context.save();
  context.beginPath();
  if (side === "outside") context.rect(-ENDLESS, -ENDLESS, 2 * ENDLESS, 2 * ENDLESS);
  for (const { left, right } of spans) context.rect(left, -ENDLESS, right - left, 2 * ENDLESS);
  context.clip("evenodd");
  drawAll();
  context.restore();
}

/** CSS colors, except `edge` (outlines and shadows): three channels. */
type CaptionColors = { letters: string; highlight: string; box: string; edge: string };

const HIGHLIGHTS = ["#ffd60a", "#d70015", "#ffffff", "#000000"];
const LEAST_CONTRAST = 3;
/** Sum over the three channels, each up to 1. */
const LEAST_DIFFERENCE = 0.6;

/**
 * Edges are black around light letters and white around dark ones: a contrast of at least 4.5. The highlight is the
 * first that is legible on the box or edge and differs from the letters.
 */
export function colorsOf({
  style,
  color,
  box_color,
}: Pick<CaptionLook, "style" | "color" | "box_color">): CaptionColors {
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
