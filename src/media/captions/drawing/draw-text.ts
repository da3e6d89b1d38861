/** Draws captions and watermarks to transparent PNGs cropped to the drawn area. */
import { writeFile } from "node:fs/promises";
import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { CaptionStyle } from "#contract/jobs/jobs.ts";
import { captionCut, lettersMissing, type Warning } from "#contract/jobs/warnings.ts";
import type { Drawing } from "../../plan/arguments/picture-arguments.ts";
import type { CaptionLook } from "../layout/caption-look.ts";
import { OUTLINE, SHADOW_EDGE, SHADOWS } from "../layout/caption-shape.ts";
import { countShown } from "../layout/count-shown.ts";
import { type DrawableText, makeDrawable } from "../fonts/drawable-text.ts";
import { type Box, evenBoxAround, type Frame } from "../layout/frame-areas.ts";
import { joinBoxes } from "../layout/joined-boxes.ts";
import { areaOf, layOutCaption, type MeasureText, type TextLayout } from "../layout/lay-out-caption.ts";
import { registerFonts } from "../fonts/register-fonts.ts";
import { layOutWatermark, WATERMARK_OUTLINE } from "../layout/lay-out-watermark.ts";

const WATERMARK_OPACITY = 0.6;
const BOX_COLOR = "rgb(14 13 12 / 86%)";
/** Share of the font size. */
const BOX_RADIUS = 0.28;

/** Widths scale with the size, so text is measured at one size, large enough to limit rounding errors. */
const MEASURED_PIXELS = 100;
const measuring = createCanvas(1, 1).getContext("2d");

/** The drawing, with its size, is null if no part of the text can be drawn. */
export type DrawnText = { drawing: (Drawing & Box) | null; warnings: Warning[] };

/** Draws a caption for frames of this size to a PNG at `path`. */
export async function drawCaption(text: string, look: CaptionLook, frame: Frame, path: string): Promise<DrawnText> {
  const drawable = makeDrawable(text);
  const layout = layOutCaption(drawable.text, look, frame, measureIn(drawable));
  const drawing = await draw(layout, frame, path, (context) => {
    setFont(context, layout.sizePixels, drawable);
    PAINTERS[look.style](context, layout);
  });
  const cut = layout.isCut ? [captionCut(countShown(drawable.text, layout))] : [];
  return { drawing, warnings: [...warningsOf("caption", drawable), ...cut] };
}

/** Draws a watermark for frames of this size to a PNG at `path`. */
export async function drawWatermark(text: string, frame: Frame, path: string): Promise<DrawnText> {
  const drawable = makeDrawable(text);
  const layout = layOutWatermark(drawable.text, frame, measureIn(drawable));
  const drawing = await draw(layout, frame, path, (context) => {
    setFont(context, layout.sizePixels, drawable);
    drawOutlined(context, layout, WATERMARK_OUTLINE);
    fade(context.canvas, WATERMARK_OPACITY);
  });
  return { drawing, warnings: warningsOf("watermark", drawable) };
}

function warningsOf(what: "caption" | "watermark", { missing }: DrawableText): Warning[] {
  const warning = lettersMissing(what, missing);
  return warning ? [warning] : [];
}

const PAINTERS: Record<CaptionStyle, (context: SKRSContext2D, layout: TextLayout) => void> = {
  outline: (context, layout) => drawOutlined(context, layout, OUTLINE),
  box: drawBoxed,
  shadow: drawShadowed,
};

async function draw(
  layout: TextLayout,
  frame: Frame,
  path: string,
  paint: (context: SKRSContext2D) => void,
): Promise<(Drawing & Box) | null> {
  if (layout.lines.length === 0) return null;
  const box = evenBoxAround(areaOf(layout), frame);
  const canvas = createCanvas(box.width, box.height);
  const context = canvas.getContext("2d");
  context.translate(-box.x, -box.y);
  paint(context);
  await writeFile(path, await canvas.encode("png"));
  return { path, ...box };
}

function drawOutlined(context: SKRSContext2D, layout: TextLayout, outline: number): void {
  context.lineJoin = "round";
  context.lineWidth = outline * layout.sizePixels;
  context.strokeStyle = "black";
  // all outlines first: the next line's must not cover this line's letters
  drawLines(context, layout, "strokeText");
  drawLines(context, layout, "fillText");
}

function drawBoxed(context: SKRSContext2D, layout: TextLayout): void {
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
  context.fillStyle = BOX_COLOR;
  context.fill();
  drawLines(context, layout, "fillText");
}

function drawShadowed(context: SKRSContext2D, layout: TextLayout): void {
  context.lineJoin = "round";
  context.lineWidth = SHADOW_EDGE.width * layout.sizePixels;
  for (const { blur, offset, opacity } of SHADOWS) {
    context.shadowColor = `rgb(0 0 0 / ${opacity * 100}%)`;
    context.shadowBlur = blur * layout.sizePixels;
    context.shadowOffsetY = offset * layout.sizePixels;
    drawLines(context, layout, "fillText");
  }
  context.shadowColor = "transparent";
  context.strokeStyle = `rgb(0 0 0 / ${SHADOW_EDGE.opacity * 100}%)`;
  drawLines(context, layout, "strokeText");
  // fills the letters again: the next line's shadow must not cover them
  drawLines(context, layout, "fillText");
}

function drawLines(context: SKRSContext2D, { lines }: TextLayout, verb: "strokeText" | "fillText"): void {
  context.textAlign = "center";
  context.fillStyle = "white";
  for (const { text, isRightToLeft, centerX, baselineY } of lines) {
    context.direction = isRightToLeft ? "rtl" : "ltr";
    context[verb](text, centerX, baselineY);
  }
}

/** Fades the picture as a whole; fading each letter would let the outline show through the white. */
function fade(canvas: Canvas, opacity: number): void {
  const context = canvas.getContext("2d");
  context.resetTransform();
  context.globalCompositeOperation = "destination-in";
  context.fillStyle = `rgb(0 0 0 / ${opacity * 100}%)`;
  context.fillRect(0, 0, canvas.width, canvas.height);
}

/** Returns a caching measuring function, because every candidate size measures the same line prefixes. */
export function measureIn(drawable: DrawableText): MeasureText {
  setFont(measuring, MEASURED_PIXELS, drawable);
  const widths = new Map<string, number>();
  return (text) => {
    const width = widths.get(text) ?? measuring.measureText(text).width / MEASURED_PIXELS;
    widths.set(text, width);
    return width;
  };
}

function setFont(context: SKRSContext2D, sizePixels: number, { fonts }: DrawableText): void {
  registerFonts(fonts);
  context.font = `${sizePixels}px ${fonts.map(({ family }) => `"${family}"`).join(", ")}`;
}
