/** Draws the captions and the watermark of a render, each once. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { drawCaption, drawWatermark } from "./captions/draw-text.ts";
import type { Drawing } from "./plan/picture-arguments.ts";
import type { DrawingIdentity } from "./plan/stream-keys.ts";
import type { RenderRun } from "./render-run.ts";

/** A drawing, and what tells it from another. */
type DrawnText = Drawing & DrawingIdentity;

/** Captions by their text. */
export type DrawnTexts = { captions: Map<string, DrawnText>; watermark: DrawnText | null };

/** Draws each distinct caption and the watermark once. */
export async function drawTexts(run: RenderRun): Promise<DrawnTexts> {
  const { plan, request, fileOf } = run;
  const captions = new Map<string, DrawnText>();
  for (const { caption } of plan.pictures) {
    if (run.signal.aborted) break;
    if (caption === null || captions.has(caption)) continue;
    const drawing = await drawCaption(caption, request.captionLook, plan, fileOf(`caption-${captions.size}.png`));
    if (drawing) captions.set(caption, await identify(drawing));
  }
  const isMarked = request.watermark !== null && plan.pictures.length > 0;
  const watermark = isMarked ? await drawWatermark(request.watermark ?? "", plan, fileOf("watermark.png")) : null;
  return { captions, watermark: watermark && (await identify(watermark)) };
}

async function identify(drawing: Drawing): Promise<DrawnText> {
  const hash = createHash("sha256")
    .update(await readFile(drawing.path))
    .digest("hex");
  return { ...drawing, hash };
}
