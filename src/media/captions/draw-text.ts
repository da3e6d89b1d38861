/** Draws captions and watermarks to transparent pictures that cover no more than what is drawn. */
import { writeFile } from "node:fs/promises";
import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { Drawing } from "../plan/picture-arguments.ts";
import { captionFont } from "./fonts.ts";
import { boxOf, type CaptionLayout, type Frame, layOutCaption } from "./lay-out-caption.ts";
import { layOutWatermark } from "./lay-out-watermark.ts";

const FIRST_LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;
const WATERMARK_OPACITY = 0.6;

const measuring = createCanvas(1, 1).getContext("2d");

/** Draws a caption for frames of this size to a PNG at `path`. An empty caption draws nothing and answers null. */
export async function drawCaption(text: string, frame: Frame, path: string): Promise<Drawing | null> {
  return await draw(layOutCaption(text, frame, measureWidth), frame, path, 1);
}

/** Draws a watermark for frames of this size to a PNG at `path`. An empty text draws nothing and answers null. */
export async function drawWatermark(text: string, frame: Frame, path: string): Promise<Drawing | null> {
  return await draw(layOutWatermark(text, frame, measureWidth), frame, path, WATERMARK_OPACITY);
}

async function draw(layout: CaptionLayout, frame: Frame, path: string, opacity: number): Promise<Drawing | null> {
  if (layout.lines.length === 0) return null;
  const box = boxOf(layout, frame, measureWidth);
  const canvas = createCanvas(box.width, box.height);
  const context = canvas.getContext("2d");
  context.translate(-box.x, -box.y);
  context.font = captionFont(layout.sizePixels);
  context.textAlign = "center";
  context.lineJoin = "round";
  context.lineWidth = layout.outlinePixels;
  context.strokeStyle = "black";
  context.fillStyle = "white";
  // every outline first: the next line's must not cover the letters of this one
  for (const line of layout.lines) drawLine(context, line, "strokeText");
  for (const line of layout.lines) drawLine(context, line, "fillText");
  await writeFile(path, await fade(canvas, opacity).encode("png"));
  return { path, x: box.x, y: box.y };
}

/** The whole picture made see-through at once: letter by letter, the outline would show through the white. */
function fade(canvas: Canvas, opacity: number): Canvas {
  if (opacity === 1) return canvas;
  const faded = createCanvas(canvas.width, canvas.height);
  const context = faded.getContext("2d");
  context.globalAlpha = opacity;
  context.drawImage(canvas, 0, 0);
  return faded;
}

function drawLine(context: SKRSContext2D, line: CaptionLayout["lines"][number], verb: "strokeText" | "fillText"): void {
  context.direction = RIGHT_TO_LEFT.test(FIRST_LETTER.exec(line.text)?.[0] ?? "") ? "rtl" : "ltr";
  context[verb](line.text, line.centerX, line.baselineY);
}

function measureWidth(text: string, sizePixels: number): number {
  measuring.font = captionFont(sizePixels);
  return measuring.measureText(text).width;
}
