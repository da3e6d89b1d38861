import { writeFile } from "node:fs/promises";
import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import { captionCut, lettersMissing, type Warning } from "#contract/jobs/outputs/warnings.ts";
import type { Drawing } from "../../plan/arguments/drawing-series.ts";
import { type CaptionLook, readCaption } from "../layout/caption-shape.ts";
import { countShown, areaOf, layOutCaption, type TextLayout } from "../layout/lay-out-caption.ts";
import { type DrawableText, makeDrawable } from "../fonts/drawable-text.ts";
import { type Area, type Box, evenBoxAround, type Frame } from "../layout/frame-areas.ts";
import { layOutWatermark, WATERMARK_OUTLINE } from "../layout/lay-out-watermark.ts";
import { layOutText, type TextLook } from "../layout/lay-out-text.ts";
import { placeHighlights } from "../layout/place-highlights.ts";
import { colorsOf, WHITE, drawOutlined, PAINTERS, measureIn, setFont } from "./paint-text.ts";

const WATERMARK_OPACITY = 0.6;

/** `drawing` is cropped to the drawn area. It and `area` are null if nothing can be drawn. */
export type DrawnText = { drawing: (Drawing & Box) | null; area: Area | null; warnings: Warning[] };

export async function drawCaption(text: string, look: CaptionLook, frame: Frame, path: string): Promise<DrawnText> {
  const drawable = readCaption(text, look);
  const measure = measureIn(drawable);
  const layout = layOutCaption(drawable.text, { ...look, font: drawable.font }, frame, measure);
  const paint = { ...colorsOf(look), highlights: placeHighlights(drawable, layout, measure) };
  const drawn = await draw(layout, frame, path, (context) => {
    setFont(context, layout.sizePixels, drawable);
    PAINTERS[look.style](context, layout, paint);
  });
  const cut = layout.isCut ? [captionCut(countShown(drawable.text, layout))] : [];
  return { ...drawn, warnings: [...warningsOf("caption", drawable), ...cut] };
}

export async function drawWatermark(text: string, frame: Frame, path: string): Promise<DrawnText> {
  const drawable = makeDrawable(text);
  const layout = layOutWatermark(drawable.text, frame, measureIn(drawable));
  const drawn = await draw(layout, frame, path, (context) => {
    setFont(context, layout.sizePixels, drawable);
    drawOutlined(context, layout, WHITE, WATERMARK_OUTLINE);
    fade(context.canvas, WATERMARK_OPACITY);
  });
  return { ...drawn, warnings: warningsOf("watermark", drawable) };
}

export async function drawLayerText(text: string, look: TextLook, frame: Frame, path: string): Promise<DrawnText> {
  const drawable = makeDrawable(text, look);
  const layout = layOutText(drawable.text, { ...look, font: drawable.font }, frame, measureIn(drawable));
  const drawn = await draw(layout, frame, path, (context) => {
    setFont(context, layout.sizePixels, drawable);
    PAINTERS[look.style](context, layout, colorsOf(look));
    if (look.opacity < 1) fade(context.canvas, look.opacity);
  });
  return { ...drawn, warnings: warningsOf("text", drawable) };
}

function warningsOf(what: "caption" | "watermark" | "text", { missing }: DrawableText): Warning[] {
  const warning = lettersMissing(what, missing);
  return warning ? [warning] : [];
}

async function draw(
  layout: TextLayout,
  frame: Frame,
  path: string,
  paint: (context: SKRSContext2D) => void,
): Promise<Pick<DrawnText, "drawing" | "area">> {
  if (layout.lines.length === 0) return { drawing: null, area: null };
  const area = areaOf(layout);
  return { drawing: await paintOn(area, frame, path, paint), area };
}

/** Writes a picture of the area. */
export async function paintOn(
  area: Area,
  frame: Frame,
  path: string,
  paint: (context: SKRSContext2D) => void,
): Promise<Drawing & Box> {
  const box = evenBoxAround(area, frame);
  const canvas = createCanvas(box.width, box.height);
  const context = canvas.getContext("2d");
  context.translate(-box.x, -box.y);
  paint(context);
  await writeFile(path, await canvas.encode("png"));
  return { path, ...box };
}

/** Fades the complete picture: with faded letters, the outline would show through the white. */
function fade(canvas: Canvas, opacity: number): void {
  const context = canvas.getContext("2d");
  context.resetTransform();
  context.globalCompositeOperation = "destination-in";
  context.fillStyle = `rgb(0 0 0 / ${opacity * 100}%)`;
  context.fillRect(0, 0, canvas.width, canvas.height);
}
