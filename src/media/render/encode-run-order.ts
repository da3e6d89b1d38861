import type { Codec } from "#contract/jobs/jobs.ts";
import { ENGINE_VERSION } from "../plan/arguments/encoder-arguments.ts";
import type { PictureRun } from "../plan/render-plan.ts";
import type { RunOrder } from "../plan/chunks/run-order.ts";
import type { IdentifiedDrawings } from "../captions/drawing/draw-layers.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";
import { encodeStretches } from "./encode-streams.ts";
import type { RenderOptions, RenderRun, SharedRuns } from "./render-run.ts";
import type { EncodedStream } from "./stream-cache.ts";

/** Streams of workers with this label can be joined. No operator can enter it. */
export function engineLabel({ version }: Pick<MediaTools, "version">, codec: Codec): string {
  return `${codec} engine ${ENGINE_VERSION}, ffmpeg ${version}`;
}

/** Of all codecs that the worker can encode in software. */
export function engineLabels(tools: Pick<MediaTools, "version" | "encodesHevc">): string[] {
  const codecs: Codec[] = tools.encodesHevc ? ["h264", "hevc"] : ["h264"];
  return codecs.map((codec) => engineLabel(tools, codec));
}

/** Null if all are encoded here: hardware encoders differ. */
export function offerRuns(
  run: RenderRun,
  {
    runs,
    drawn,
    keys,
    onEncoded,
    deliver,
  }: {
    runs: PictureRun[];
    drawn: IdentifiedDrawings;
    keys: ReadonlyMap<string, string>;
    onEncoded: () => void;
    deliver: (id: string, stream: EncodedStream) => Promise<void>;
  },
): SharedRuns | null {
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

function toRunOrder(
  { plan, request, withThumbnail }: RenderRun,
  runs: PictureRun[],
  drawn: IdentifiedDrawings,
  keys: ReadonlyMap<string, string>,
): RunOrder {
  const { width, height, frameRate, frames } = plan;
  const { settings, pictureKbps } = request;
  const shown = runs.flatMap(({ lines, into }) => [...lines, ...(into ? [into] : [])]);
  const places = new Set(shown.flatMap(({ layers }) => layers.map(({ drawing }) => drawing)));
  const ids = runs.flatMap(({ lines }) => lines.flatMap((line) => line.ids));
  return {
    ...{ width, height, frameRate, frames, settings, runs },
    ...(pictureKbps !== undefined && { pictureKbps }),
    sources: request.sources.map(({ probe, revision, isJoined }) => ({
      ...{ probe, revision },
      ...(isJoined && { isJoined }),
    })),
    drawings: [...drawn].flatMap(([place, { hash, x, y, blankHash }]) =>
      places.has(place) ? [[place, { hash, x, y, ...(blankHash !== undefined && { blankHash }) }]] : [],
    ),
    keys: Object.fromEntries(ids.map((id) => [id, keys.get(id)!])),
    withThumbnail: ids.filter((id) => withThumbnail.has(id)),
  };
}

/** In software. Returns the streams by id. Throws what `encodeStretches` throws. */
export async function encodeOrderedRun(
  order: RunOrder,
  place: number,
  options: Pick<RenderOptions, "tools" | "encoderSlots" | "signal"> & {
    fileOf: (name: string) => string;
    /** By place in `sources`; only those of the run. */
    sources: ReadonlyMap<number, string>;
    /** By hash. */
    drawings: ReadonlyMap<string, string>;
  },
): Promise<Map<string, EncodedStream>> {
  const { settings, pictureKbps } = order;
  const drawn = order.drawings.flatMap(([at, identity]) => {
    const path = options.drawings.get(identity.hash);
    const blankPath = identity.blankHash === undefined ? undefined : options.drawings.get(identity.blankHash);
    return path === undefined ? [] : [[at, { ...identity, path, ...(blankPath && { blankPath }) }] as const];
  });
  const streams = new Map<string, EncodedStream>();
  await encodeStretches(
    {
      request: {
        settings,
        ...(pictureKbps !== undefined && { pictureKbps }),
        sources: order.sources.map((source, i) => ({ ...source, path: options.sources.get(i) ?? "" })),
      },
      encoder: "software",
      plan: order,
      options,
      signal: options.signal,
      withThumbnail: new Set(order.withThumbnail),
      note: () => {},
      fileOf: options.fileOf,
    },
    order.runs[place]!,
    new Map(drawn),
    { deliver: async (id, stream) => void streams.set(id, stream), onEncoded: () => {} },
  );
  return streams;
}
