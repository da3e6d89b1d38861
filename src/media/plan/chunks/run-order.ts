import { estimateCost } from "../estimate-cost.ts";
import type { MediaFile, PictureRun, RenderPlan, RenderRequest } from "../render-plan.ts";
import type { DrawingIdentity } from "../stream-keys.ts";

/** Runs of a render for other workers, as JSON. */
export type RunOrder = Pick<RenderPlan, "width" | "height" | "frameRate" | "frames"> &
  Pick<RenderRequest, "settings" | "pictureKbps"> & {
    sources: Omit<MediaFile, "path">[];
    /** By place in the request's drawings. */
    drawings: [number, DrawingIdentity][];
    runs: PictureRun[];
    /** By id of a stretch. */
    keys: Record<string, string>;
    withThumbnail: string[];
  };

/** Minutes of `estimateCost`. */
export function costOfRuns({ width, height, runs }: Pick<RunOrder, "width" | "height" | "runs">): number {
  const stretches = runs.flatMap(({ cuts, lines }) => lines.flatMap(() => cuts.map((cut) => ({ cut }))));
  return estimateCost({ width, height, stretches, sounds: [] });
}
