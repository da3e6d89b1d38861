import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import type { MediaTools } from "../../ffmpeg/tools.ts";
import { drawImage } from "../../images/draw-image.ts";
import type { Drawing } from "../../plan/arguments/drawing-series.ts";
import type { DrawingSpec, RenderPlan } from "../../plan/render-plan.ts";
import type { DrawingIdentity } from "../../plan/stream-keys.ts";
import type { RenderRun } from "../../render/render-run.ts";
import { type CaptionLook, lookOf } from "../layout/caption-shape.ts";
import type { Frame } from "../layout/frame-areas.ts";
import type { DrawnText } from "./draw-text.ts";
import type { TextToDraw } from "./draw-text-process.ts";
import type { TextDrawer } from "./text-drawer.ts";

/** By place in the request's drawings. One of which nothing can be drawn is missing. */
export type IdentifiedDrawings = ReadonlyMap<number, Drawing & DrawingIdentity>;

/** Draws what any stretch shows. */
export async function drawLayers({
  plan,
  request,
  options,
  fileOf,
  signal,
  warnings,
}: RenderRun): Promise<IdentifiedDrawings> {
  const uses = usesIn(plan);
  const drawn = await drawSpecs(request.drawings, uses.keys(), {
    ...{ tools: options.tools, drawer: options.drawer, signal, fileOf },
    settings: request.settings,
    frame: { width: plan.width, height: plan.height, platform: request.settings.platform },
  });
  // Hundreds of words share a blank picture.
  const hashes = new Map<string, Promise<string>>();
  const hashOf = (path: string) => hashes.getOrInsertComputed(path, sha256OfFile);
  const identified = new Map<number, Drawing & DrawingIdentity>();
  for (const [place, { drawing, warnings: found }] of drawn) {
    for (const id of uses.get(place) ?? []) for (const warning of found) warnings.add(warning, id);
    if (!drawing) continue;
    const blankHash = drawing.blankPath === undefined ? {} : { blankHash: await hashOf(drawing.blankPath) };
    identified.set(place, { ...drawing, hash: await hashOf(drawing.path), ...blankHash });
  }
  return identified;
}

/** The ids of stretches that show each drawing. Captions first, whose warnings matter most. */
function usesIn({ stretches }: Pick<RenderPlan, "stretches">): Map<number, string[]> {
  const uses = new Map<number, string[]>();
  for (const { id, layers, into } of stretches) {
    for (const { drawing } of [...layers, ...(into?.layers ?? [])].toReversed()) {
      uses.set(drawing, [...(uses.get(drawing) ?? []), id]);
    }
  }
  return uses;
}

type DrawingRun = {
  tools: MediaTools;
  drawer: TextDrawer;
  settings: StreamSettings<"drawing">;
  frame: Frame;
  fileOf: (name: string) => string;
  signal: AbortSignal;
  isInBackground?: boolean;
};

/** Draws the specs at the places `wanted`. Throws what `drawImage` and the drawer throw. */
export async function drawSpecs(
  specs: readonly DrawingSpec[],
  wanted: Iterable<number>,
  { tools, drawer, settings, frame, fileOf, ...run }: DrawingRun,
): Promise<Map<number, Pick<DrawnText, "area" | "warnings"> & { drawing: Drawing | null }>> {
  const look = lookOf(settings);
  const texts = new Map<number, DrawnText>();
  const drawText = async (place: number): Promise<DrawnText | null> => {
    const spec = specs[place]!;
    if (spec.kind === "image") return null;
    const known =
      texts.get(place) ??
      (await drawer.draw(toDraw(spec, look, { frame, path: fileOf(`drawing-${place}.png`) }), run.signal));
    texts.set(place, known);
    const blank = spec.kind === "subtitle" && spec.blank !== null ? await drawText(spec.blank) : null;
    return known.drawing && blank?.drawing
      ? { ...known, drawing: { ...known.drawing, blankPath: blank.drawing.path } }
      : known;
  };
  const drawn = new Map<number, Pick<DrawnText, "area" | "warnings"> & { drawing: Drawing | null }>();
  for (const place of wanted) {
    const spec = specs[place]!;
    if (spec.kind === "image") {
      const clearOf = spec.above === null ? null : ((await drawText(spec.above))?.drawing ?? null);
      const how = { frame, clearOf, path: fileOf(`drawing-${place}.png`), ...run };
      const drawing = await drawImage(tools, spec, how);
      const { x: left, y: top, width, height } = drawing;
      drawn.set(place, { drawing, area: { left, right: left + width, top, bottom: top + height }, warnings: [] });
    } else drawn.set(place, (await drawText(place))!);
  }
  return drawn;
}

function toDraw(
  spec: Exclude<DrawingSpec, { kind: "image" }>,
  look: CaptionLook,
  where: Pick<TextToDraw, "frame" | "path">,
): TextToDraw {
  const lookIn = (language: string | undefined) => (language === undefined ? look : { ...look, language });
  if (spec.kind === "caption") {
    const { language, ...caption } = spec;
    return { ...caption, look: lookIn(language), ...where };
  }
  return spec.kind === "subtitle" ? { ...spec, look: lookIn(spec.subtitle.language), ...where } : { ...spec, ...where };
}
