import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import { drawWatermarkImage } from "../../images/draw-watermark-image.ts";
import { lookOf } from "../layout/caption-shape.ts";
import type { Frame } from "../layout/frame-areas.ts";
import type { Drawing } from "../../plan/arguments/picture-arguments.ts";
import type { DrawingIdentity } from "../../plan/stream-keys.ts";
import type { PlannedStretch } from "../../plan/render-plan.ts";
import type { RenderRun } from "../../render/render-run.ts";

type IdentifiedDrawing = Drawing & DrawingIdentity;

/** Captions are keyed by text. The watermark has an image, a text, both or none. */
export type DrawnTexts = { captions: Map<string, IdentifiedDrawing>; watermarks: IdentifiedDrawing[] };

export async function drawTexts(run: RenderRun): Promise<DrawnTexts> {
  const { plan, request, fileOf, signal } = run;
  const { drawer } = run.options;
  const frame = { width: plan.width, height: plan.height, platform: request.settings.platform };
  const look = lookOf(request.settings);
  const captions = new Map<string, IdentifiedDrawing>();
  for (const caption of plan.stretches.flatMap(captionsOn)) {
    if (captions.has(caption)) continue;
    const path = fileOf(`caption-${captions.size}.png`);
    const { drawing, warnings } = await drawer.draw({ text: caption, look, frame, path }, signal);
    if (drawing) captions.set(caption, await identify(drawing));
    warn(run, warnings, (stretch) => captionsOn(stretch).includes(caption));
  }
  return { captions, watermarks: plan.stretches.length === 0 ? [] : await drawWatermarks(run, frame) };
}

function captionsOn({ caption, into }: PlannedStretch): string[] {
  return [caption, into?.caption ?? null].filter((text) => text !== null);
}

async function drawWatermarks(run: RenderRun, frame: Frame): Promise<IdentifiedDrawing[]> {
  const { request, options, fileOf, signal } = run;
  const { watermark: text, watermarkImage: image = null, settings } = request;
  const path = fileOf("watermark.png");
  const drawn = text === null ? null : await options.drawer.draw({ text, look: null, frame, path }, signal);
  warn(run, drawn?.warnings ?? [], () => true);
  const box = drawn?.drawing ?? null;
  const how = { settings, frame, text: box, path: fileOf("watermark-image.png"), signal };
  const drawings = [image === null ? null : await drawWatermarkImage(options.tools, image, how), box];
  return await Promise.all(drawings.filter((drawing) => drawing !== null).map(identify));
}

function warn(
  { plan, warnings: all }: RenderRun,
  warnings: Warning[],
  isOn: (stretch: PlannedStretch) => boolean,
): void {
  for (const { id } of plan.stretches.filter(isOn)) for (const warning of warnings) all.add(warning, id);
}

async function identify({ path, x, y }: Drawing): Promise<IdentifiedDrawing> {
  return { path, x, y, hash: await sha256OfFile(path) };
}
