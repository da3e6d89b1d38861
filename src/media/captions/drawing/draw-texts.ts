import type { Warning } from "#contract/jobs/warnings.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import { lookOf } from "../layout/caption-look.ts";
import type { Drawing } from "../../plan/arguments/picture-arguments.ts";
import type { DrawingIdentity } from "../../plan/stream-keys.ts";
import type { PlannedStretch } from "../../plan/render-plan.ts";
import type { RenderRun } from "../../render/render-run.ts";

/** A drawing with the hash used in stream keys. */
type IdentifiedDrawing = Drawing & DrawingIdentity;

/** Captions keyed by text. */
export type DrawnTexts = { captions: Map<string, IdentifiedDrawing>; watermark: IdentifiedDrawing | null };

/** Draws each distinct caption of a render and its watermark once. */
export async function drawTexts(run: RenderRun): Promise<DrawnTexts> {
  const { plan, request, fileOf, signal } = run;
  const { drawer } = run.options;
  const frame = { width: plan.width, height: plan.height, platform: request.settings.platform };
  const look = lookOf(request.settings);
  const captions = new Map<string, IdentifiedDrawing>();
  for (const { caption } of plan.stretches) {
    if (caption === null || captions.has(caption)) continue;
    const path = fileOf(`caption-${captions.size}.png`);
    const { drawing, warnings } = await drawer.draw({ text: caption, look, frame, path }, signal);
    if (drawing) captions.set(caption, await identify(drawing));
    warn(run, warnings, (stretch) => stretch.caption === caption);
  }
  if (request.watermark === null || plan.stretches.length === 0) return { captions, watermark: null };
  const mark = { text: request.watermark, look: null, frame, path: fileOf("watermark.png") };
  const watermark = await drawer.draw(mark, signal);
  warn(run, watermark.warnings, () => true);
  return { captions, watermark: watermark.drawing && (await identify(watermark.drawing)) };
}

function warn(
  { plan, warnings: all }: RenderRun,
  warnings: Warning[],
  isOn: (stretch: PlannedStretch) => boolean,
): void {
  for (const { id } of plan.stretches.filter(isOn)) for (const warning of warnings) all.add(warning, id);
}

async function identify(drawing: Drawing): Promise<IdentifiedDrawing> {
  const hash = await sha256OfFile(drawing.path);
  return { ...drawing, hash };
}
