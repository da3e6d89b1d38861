import type { IdentifiedDrawings } from "../captions/drawing/draw-layers.ts";
import type { PictureRun } from "../plan/render-plan.ts";
import { toRunOrder } from "./encode-run-order.ts";
import type { RenderRun, SharedRuns } from "./render-run.ts";
import type { EncodedStream } from "./stream-cache.ts";

type Work = {
  runs: PictureRun[];
  drawn: IdentifiedDrawings;
  /** By id of a stretch. */
  keys: ReadonlyMap<string, string>;
  onEncoded: () => void;
  deliver: (id: string, stream: EncodedStream) => Promise<void>;
};

/** Null if all are encoded here: hardware encoders differ. */
export function shareRuns(run: RenderRun, { runs, drawn, keys, onEncoded, deliver }: Work): SharedRuns | null {
  const { options, encoder, fileOf, signal } = run;
  if (!options.shareRuns || encoder !== "software" || runs.length < 2) return null;
  return options.shareRuns({
    order: toRunOrder(run, runs, drawn, keys),
    drawings: filesByHash(drawn),
    ...{ fileOf, signal },
    async receive(streams) {
      onEncoded();
      for (const [id, stream] of streams) await deliver(id, stream);
    },
  });
}

function filesByHash(drawn: IdentifiedDrawings): Map<string, string> {
  const files = new Map<string, string>();
  for (const { hash, path, blankHash, blankPath } of drawn.values()) {
    files.set(hash, path);
    if (blankHash !== undefined) files.set(blankHash, blankPath!);
  }
  return files;
}
