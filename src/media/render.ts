/** Renders all outputs of one video by its plan: pictures, sounds, then each output as soon as its two streams are there. */
import { copyFile, mkdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { drawCaption, drawWatermark } from "./captions/draw-text.ts";
import { createPartBoard, type PartBoard } from "./part-board.ts";
import { outputArguments, thumbnailArguments } from "./plan/output-arguments.ts";
import { type Drawing, pictureArguments } from "./plan/picture-arguments.ts";
import { planRender } from "./plan/plan-render.ts";
import type { PictureRun, PlannedOutput, PlannedSound, RenderPlan, RenderRequest } from "./plan/render-plan.ts";
import { soundArguments } from "./plan/sound-arguments.ts";
import { probe } from "./probe.ts";
import { type RenderProgress, trackProgress } from "./progress-shares.ts";
import { requireAudio, requireVideo } from "./required-streams.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";
import type { MediaTools } from "./tools.ts";

export type { RenderRequest } from "./plan/render-plan.ts";

export type RenderedOutput = {
  key: string;
  path: string;
  /** A JPEG of at most 360 pixels width. */
  thumbnailPath: string;
  durationSeconds: number;
  width: number;
  height: number;
};

export type RenderOptions = {
  tools: MediaTools;
  /** An existing or new folder for this run alone; the caller removes it. */
  scratchFolder: string;
  signal: AbortSignal;
  /** ffmpegs that encode pictures at a time; 1 where not given, since one keeps all cores busy. */
  concurrency?: number;
  onProgress: (progress: RenderProgress) => void;
  /** Called for one output after the other, each as soon as it is ready. Its files are removed when the promise resolves. */
  onOutput: (output: RenderedOutput) => Promise<void>;
};

type Stream = { path: string; seconds: number };
type Run = {
  request: RenderRequest;
  plan: RenderPlan;
  options: RenderOptions;
  /** Aborts when the caller does, or when any part has failed. */
  signal: AbortSignal;
  streams: PartBoard<Stream>;
  note: (part: string, share: number) => void;
  fileOf: (name: string) => string;
};

/** An output shorter than planned by more than this share and these seconds had a source that broke off. */
const SHORT_SHARE = 0.05;
const SHORT_SECONDS = 0.5;
const THUMBNAIL_AT_SECONDS = 1;

/**
 * Renders the outputs of one video. Resolves when all have been handed to `onOutput`. Rejects with the first failure, after
 * everything it started has ended: ClipmillError "cancelled", "damaged", "no_space", "render_failed", or what `onOutput` threw.
 */
export async function renderOutputs(request: RenderRequest, options: RenderOptions): Promise<void> {
  const plan = planRender(request);
  const failure = new AbortController();
  const progress = trackProgress(plan);
  const run: Run = {
    request,
    plan,
    options,
    signal: AbortSignal.any([options.signal, failure.signal]),
    streams: createPartBoard(),
    note(part, share) {
      progress.note(part, share);
      options.onProgress(progress.read());
    },
    fileOf: (name) => path.join(options.scratchFolder, name),
  };
  await mkdir(options.scratchFolder, { recursive: true });
  const drawn = await drawTexts(run);
  const pictureLanes = options.concurrency ?? 1;
  // with no picture to encode, sounds have all cores to themselves
  const soundLanes = plan.pictureRuns.length > 0 ? 1 : os.availableParallelism();
  let first: unknown;
  const fail = (error: unknown) => {
    first ??= error;
    failure.abort();
    run.streams.fail(error);
  };
  await Promise.all([
    inTurn(plan.pictureRuns, pictureLanes, (pictures) => encodePictures(run, pictures, drawn), fail),
    inTurn(plan.sounds, soundLanes, (sound) => encodeSound(run, sound), fail),
    inTurn(plan.outputs, 1, (output) => makeOutput(run, output), fail),
  ]);
  if (options.signal.aborted) throw new ClipmillError("cancelled", "Rendering was cancelled.");
  if (first !== undefined) throw first;
}

type Drawn = { captions: Map<string, Drawing>; watermark: Drawing | null };

/** Draws each distinct caption and the watermark once. */
async function drawTexts(run: Run): Promise<Drawn> {
  const { plan, request, fileOf } = run;
  const pictures = plan.pictureRuns.flatMap(({ pictures }) => pictures);
  const captions = new Map<string, Drawing>();
  for (const { caption } of pictures) {
    if (run.signal.aborted) break;
    if (caption === null || captions.has(caption)) continue;
    const drawing = await drawCaption(caption, plan, fileOf(`caption-${captions.size}.png`));
    if (drawing) captions.set(caption, drawing);
  }
  const isMarked = request.watermark !== null && pictures.length > 0;
  const watermark = isMarked ? await drawWatermark(request.watermark ?? "", plan, fileOf("watermark.png")) : null;
  return { captions, watermark };
}

async function encodePictures(run: Run, pictures: PictureRun, drawn: Drawn): Promise<void> {
  const { plan, options, request } = run;
  const fileOf = (id: string) => run.fileOf(`${id}.mp4`);
  const encoders = pictures.pictures.length * (options.concurrency ?? 1);
  await runFfmpeg(options.tools, {
    step: "picture",
    args: pictureArguments(pictures, plan, {
      source: request.source,
      drawings: drawn.captions,
      watermark: drawn.watermark,
      // more encoders than cores with one thread each beat the same encoders with several
      threadsPerEncoder: Math.max(1, Math.floor(os.availableParallelism() / encoders)),
      hasZscale: options.tools.hasZscale ?? false,
      fileOf,
    }),
    signal: run.signal,
    onProgress(seconds) {
      for (const { id } of pictures.pictures) run.note(id, seconds / pictures.cut.seconds);
    },
  });
  for (const { id } of pictures.pictures) {
    const seconds = await measure(run, fileOf(id), pictures.cut.seconds);
    run.note(id, 1);
    run.streams.put(id, { path: fileOf(id), seconds });
  }
}

async function encodeSound(run: Run, sound: PlannedSound): Promise<void> {
  const { options, request } = run;
  const file = run.fileOf(`${sound.id}.m4a`);
  const track = sound.trackIndex === null ? null : (request.tracks[sound.trackIndex] ?? null);
  await runFfmpeg(options.tools, {
    step: "sound",
    args: soundArguments(sound, { source: request.source, track, settings: request.sound, file }),
    signal: run.signal,
    onProgress: (seconds) => run.note(sound.id, seconds / sound.cut.seconds),
  });
  run.note(sound.id, 1);
  run.streams.put(sound.id, { path: file, seconds: sound.cut.seconds });
}

/** Joins an output's streams, takes its thumbnail and hands both over. */
async function makeOutput(run: Run, output: PlannedOutput): Promise<void> {
  const { options, request, plan } = run;
  const { source } = request;
  const picture = output.picture.from === "encoded" ? await run.streams.get(output.picture.id) : null;
  const sound = output.sound.from === "encoded" ? await run.streams.get(output.sound.id) : null;
  const file = run.fileOf(`output-${plan.outputs.indexOf(output)}.mp4`);
  const sourceSound = output.sound.from === "source" ? requireAudio(source.probe).index : null;
  await runFfmpeg(options.tools, {
    step: "output",
    args: outputArguments(
      picture ? { path: picture.path, index: 0 } : { path: source.path, index: requireVideo(source.probe).index },
      sound ? { path: sound.path, index: 0 } : sourceSound === null ? null : { path: source.path, index: sourceSound },
      // the picture may have ended a frame or two early: the sound ends with it
      { seconds: picture && picture.seconds < output.seconds ? picture.seconds : null, file },
    ),
    signal: run.signal,
  });
  const durationSeconds = picture ? picture.seconds : await measure(run, file, output.seconds);
  const thumbnailPath = run.fileOf(`output-${plan.outputs.indexOf(output)}.jpg`);
  await takeThumbnail(run, output, { video: file, durationSeconds, thumbnailPath });
  run.note(output.key, 1);
  await options.onOutput({
    key: output.key,
    path: file,
    thumbnailPath,
    durationSeconds,
    width: plan.width,
    height: plan.height,
  });
  await Promise.all([rm(file, { force: true }), rm(thumbnailPath, { force: true })]);
}

/** Takes the thumbnail of the output's picture once, and copies it for the other outputs with the same picture. */
async function takeThumbnail(
  run: Run,
  output: PlannedOutput,
  made: { video: string; durationSeconds: number; thumbnailPath: string },
): Promise<void> {
  const shared = run.fileOf(`${output.picture.from === "encoded" ? output.picture.id : "source"}.jpg`);
  const isFirst = !run.streams.has(shared);
  if (isFirst) {
    const atSeconds = Math.min(THUMBNAIL_AT_SECONDS, made.durationSeconds / 2);
    const args = thumbnailArguments(made.video, { atSeconds, file: shared });
    await runFfmpeg(run.options.tools, { step: "thumbnail", args, signal: run.signal });
    run.streams.put(shared, { path: shared, seconds: 0 });
  }
  await copyFile(shared, made.thumbnailPath);
}

/** The seconds a file of ours lasts; ClipmillError "damaged" when the source gave far less than it promised. */
async function measure(run: Run, file: string, plannedSeconds: number): Promise<number> {
  const damaged = new ClipmillError("damaged", "The video file is damaged or incomplete.", {
    facts: { plannedSeconds },
  });
  const found = await probe(run.options.tools, file, { signal: run.signal }).catch((error: unknown) => {
    throw error instanceof ClipmillError && error.code === "not_a_video" ? damaged : error;
  });
  const missing = plannedSeconds - found.durationSeconds;
  if (missing > Math.max(SHORT_SECONDS, plannedSeconds * SHORT_SHARE)) throw damaged;
  return found.durationSeconds;
}

/** Does `work` for each item in order, `atOnce` of them at a time. Each worker that fails says so and does no more; resolves when all are done. */
async function inTurn<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
  fail: (error: unknown) => void,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: Math.max(1, atOnce) }, async () => {
      try {
        for (const item of rest) await work(item);
      } catch (error) {
        fail(error);
      }
    }),
  );
}
