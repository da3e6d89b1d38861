import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ClipmillError, detailsOf } from "#contract/errors.ts";
import { captionNotShown } from "#contract/jobs/outputs/warnings.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import { runStep } from "#ground/tracing/run-step.ts";
import { drawLayers, type IdentifiedDrawings } from "../captions/drawing/draw-layers.ts";
import { EncoderError, encodeStretches } from "./encode-streams.ts";
import { encodeSound } from "./encode-sound.ts";
import { deliverOutput, joinOutput, type IdenticalOutputs } from "./make-output.ts";
import { TruncatedCopy } from "./copy-source.ts";
import { CutError } from "./take-picture.ts";
import { acceptsSize, isJoinable } from "../plan/arguments/encoder-arguments.ts";
import { framesIn } from "../plan/fit-size.ts";
import { estimateBytes, requireRenderSpace } from "../free-space.ts";
import { obtainStreams } from "./obtain-streams.ts";
import { createPartBoard } from "../progress/progress.ts";
import { gatherRuns } from "../plan/picture-runs.ts";
import { planRender } from "../plan/plan-render.ts";
import {
  MAX_SOUNDS_AT_ONCE,
  type PlannedStretch,
  type RenderRequest,
  streamsOf,
  thumbnailStretches,
} from "../plan/render-plan.ts";
import { contentKey, soundKey, stretchKey, thumbnailKeyOf } from "../plan/stream-keys.ts";
import { trackProgress } from "../progress/progress-shares.ts";
import { createRenderWarnings } from "../health/render-warnings.ts";
import { encoderOf, type MediaTools } from "../ffmpeg/tools.ts";
import { offerRuns } from "./encode-run-order.ts";
import type { RenderOptions, RenderRun } from "./render-run.ts";
import type { EncodedStream } from "./stream-cache.ts";

export type { RenderRequest } from "../plan/render-plan.ts";
export type { RenderedOutput, RenderOptions } from "./render-run.ts";

/**
 * Renders the outputs of one video, each as soon as its streams are ready. Returns, by output key, why a sound failed or
 * a file cannot be small enough. Rejects with the first other failure, after all work has ended: ClipmillError
 * "cancelled", "damaged", "unrenderable", "no_space", "too_large" (for the disk), "render_failed", or what `onOutput`
 * threw.
 */
export async function renderOutputs(
  request: RenderRequest,
  options: RenderOptions,
): Promise<ReadonlyMap<string, ClipmillError>> {
  const handedOver = new Set<string>();
  const tooLarge: OversizedFile[] = [];
  const onOutput: RenderOptions["onOutput"] = async (output) => {
    const bytes = (await stat(output.path)).size;
    const isTooLarge = request.maxBytes != null && bytes > request.maxBytes;
    const { keys, durationSeconds: seconds } = output;
    const soundBytes = output.soundBytes ?? (seconds * USUAL_SOUND_KBPS * 1_000) / 8;
    if (isTooLarge) tooLarge.push({ keys, bytes, soundBytes, seconds });
    else await options.onOutput(output);
    for (const key of output.keys) handedOver.add(key);
  };
  const hasLimit = request.maxBytes != null;
  // With a limit, there may be more to encode.
  const onPicturesReady = hasLimit ? undefined : options.onPicturesReady;
  const failures = await renderOrRemedy(request, { ...options, onOutput, onPicturesReady }, handedOver);
  const smaller = await renderSmaller(request, { ...options, onPicturesReady: undefined }, tooLarge);
  if (hasLimit) options.onPicturesReady?.();
  return new Map([...failures, ...smaller]);
}

async function renderOrRemedy(
  request: RenderRequest,
  options: RenderOptions,
  handedOver: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ClipmillError>> {
  try {
    return await renderPlanned(request, options);
  } catch (error) {
    const remedy = remedyFor(error, request);
    if (!remedy) throw error;
    const outputs = request.outputs.filter(({ key }) => !handedOver.has(key));
    const failures = await renderOrRemedy({ ...request, ...remedy, outputs }, options, handedOver);
    // Only now is it certain that the video is not the cause.
    if (error instanceof EncoderError) {
      await encoderOf(options.tools, request.settings.codec)?.noteFailure(reasonOf(error));
    }
    return failures;
  }
}

type OversizedFile = { keys: string[]; bytes: number; soundBytes: number; seconds: number };

/** With less, a picture is unrecognizable. */
const LEAST_KBPS = 40;
/** Of a copied sound, as a guess. */
const USUAL_SOUND_KBPS = 160;
/** Leaves room for the container, and for an encoder that exceeds its rate. */
const SPARE = 0.96;

/** Encodes each file again, at the bit rate that fits. Returns, by output key, why one cannot be small enough. */
async function renderSmaller(
  request: RenderRequest,
  options: RenderOptions,
  files: readonly OversizedFile[],
): Promise<Map<string, ClipmillError>> {
  const failures = new Map<string, ClipmillError>();
  for (const file of files) {
    const pictureKbps = fittingKbps(request, file);
    if (pictureKbps === null) {
      const message = `This file does not fit in ${request.maxBytes! / 1_000_000} MB, because it is ${file.seconds.toFixed(0)} s long.`;
      for (const key of file.keys) failures.set(key, new ClipmillError("too_large", message));
      continue;
    }
    const outputs = request.outputs.filter(({ key }) => file.keys.includes(key));
    const smaller = { ...request, outputs, pictureKbps, isPictureNeverCopied: true, isEncodedInSoftware: true };
    for (const failure of await renderOutputs(smaller, { ...options, takeStored: undefined })) failures.set(...failure);
  }
  return failures;
}

/** Null if the lowest rate was too high already. */
function fittingKbps(request: RenderRequest, { bytes, soundBytes, seconds }: OversizedFile): number | null {
  const maxBytes = request.maxBytes!;
  const before = request.pictureKbps;
  if (before === undefined) {
    return Math.max(LEAST_KBPS, Math.floor(((maxBytes * SPARE - soundBytes) * 8) / seconds / 1_000));
  }
  if (before <= LEAST_KBPS) return null;
  const excessKbps = ((bytes - maxBytes) * 8) / seconds / 1_000;
  return Math.max(LEAST_KBPS, Math.floor(Math.min((before * maxBytes * SPARE) / bytes, before - excessKbps)));
}

function reasonOf({ tail, message }: EncoderError): string {
  return tail?.split("\n").findLast((line) => /\[(?:error|fatal)\]/.test(line)) ?? message;
}

type Remedy = Pick<RenderRequest, "isPictureNeverCopied" | "isPictureNeverCut" | "isEncodedInSoftware">;

/** Null if the source failed, not the plan; parts of a timeline are joined even if nothing else is. */
function remedyFor(error: unknown, { isPictureNeverCut }: RenderRequest): Remedy | null {
  if (error instanceof EncoderError) return { isEncodedInSoftware: true };
  if (error instanceof TruncatedCopy) return { isPictureNeverCopied: true };
  if (error instanceof CutError && !isPictureNeverCut) return { isPictureNeverCut: true };
  return null;
}

/** Uses a separate folder: files of an earlier plan may be hard links to the cache, which must not be overwritten. */
async function renderPlanned(
  request: RenderRequest,
  options: RenderOptions,
): Promise<ReadonlyMap<string, ClipmillError>> {
  await mkdir(options.scratchFolder, { recursive: true });
  const scratchFolder = await mkdtemp(path.join(options.scratchFolder, "render-"));
  try {
    return await renderIn(request, { ...options, scratchFolder });
  } finally {
    await rm(scratchFolder, { recursive: true, force: true });
  }
}

async function renderIn(request: RenderRequest, options: RenderOptions): Promise<ReadonlyMap<string, ClipmillError>> {
  const { plan, encoder } = planForEncoder(request, options.tools);
  let first: unknown;
  const failures = new Map<string, ClipmillError>();
  let isReporting = false;
  const failure = new AbortController();
  const progress = trackProgress(plan);
  const run: RenderRun = {
    request,
    encoder,
    plan,
    options,
    signal: AbortSignal.any([options.signal, failure.signal]),
    streams: createPartBoard(),
    copies: new Map(),
    thumbnails: new Map(),
    failedSounds: new Map(),
    usersLeft: new Map(),
    fail(error) {
      first ??= error;
      failure.abort();
      run.streams.fail(error);
    },
    note(part, share) {
      progress.note(part, share);
      if (isReporting) return;
      // Batches the updates of many parts into one report.
      isReporting = true;
      queueMicrotask(() => {
        isReporting = false;
        options.onProgress(progress.read());
      });
    },
    warnings: createRenderWarnings(),
    withThumbnail: thumbnailStretches(plan),
    fileOf: (name) => path.join(options.scratchFolder, name),
  };
  for (const id of plan.outputs.flatMap(streamsOf)) run.usersLeft.set(id, (run.usersLeft.get(id) ?? 0) + 1);
  for (const { key, warnings = [] } of request.outputs) for (const known of warnings) run.warnings.add(known, key);
  for (const { key } of plan.outputs.filter(({ lacksCaption }) => lacksCaption)) {
    run.warnings.add(captionNotShown(request.settings.caption_start_seconds), key);
  }
  await requireRenderSpace(
    options.scratchFolder,
    estimateBytes(plan, request, (await stat(request.sources[0].path)).size),
  );
  const drawn = await runStep("draw", () => drawLayers(run));
  const keys = keyStreams(run, drawn);
  const rest = await leaveOutStored(run, keys);
  if (rest) return rest.outputs.length === 0 ? failures : renderIn(rest, { ...options, takeStored: undefined });
  await Promise.all([
    obtainStretches(run, drawn, keys).then(options.onPicturesReady).catch(run.fail),
    obtainSounds(run, keys).catch(run.fail),
    makeFiles(run, keys, failures).catch(run.fail),
  ]);
  if (options.signal.aborted) throw new ClipmillError("cancelled", "Rendering was canceled.");
  if (first !== undefined) throw first;
  return failures;
}

/**
 * Uses software if the encoder in use does not accept the picture's size, or its streams cannot be joined. Throws
 * ClipmillError "no_tool" if software cannot encode the codec.
 */
function planForEncoder(request: RenderRequest, tools: MediaTools): Pick<RenderRun, "plan" | "encoder"> {
  const plan = planRender(request);
  const { codec } = request.settings;
  const inUse = encoderOf(tools, codec)?.state().inUse ?? "software";
  const isJoined = request.outputs.some(({ parts }) => parts.length > 1);
  const isUsable = !request.isEncodedInSoftware && acceptsSize(inUse, plan) && (isJoinable(inUse) || !isJoined);
  const encoder = isUsable ? inUse : "software";
  if (codec === "hevc" && encoder === "software" && !tools.encodesHevc) throw new ClipmillError("no_tool", NO_HEVC);
  return { encoder, plan: isJoinable(encoder) ? plan : planRender({ ...request, isPictureNeverCut: true }) };
}

const NO_HEVC = "This worker's ffmpeg cannot encode HEVC. Use an ffmpeg with libx265, or set the job's codec to H.264.";

async function leaveOutStored(
  { plan, request, options: { takeStored } }: RenderRun,
  keys: ReadonlyMap<string, string>,
): Promise<RenderRequest | null> {
  if (!takeStored) return null;
  const taken = new Set<string>();
  for (const [key, same] of Map.groupBy(plan.outputs, (output) => contentKey(output, keys, request))) {
    const outputs = same.map((output) => output.key);
    if (await takeStored(key, outputs)) for (const output of outputs) taken.add(output);
  }
  if (taken.size === 0) return null;
  return { ...request, outputs: request.outputs.filter(({ key }) => !taken.has(key)) };
}

function keyStreams(
  { plan, request, options, encoder: name }: RenderRun,
  drawn: IdentifiedDrawings,
): ReadonlyMap<string, string> {
  const { version } = options.tools;
  const keys = new Map<string, string>();
  for (const stretch of plan.stretches) {
    keys.set(stretch.id, stretchKey(stretch, plan, request, drawn, { name, version }));
  }
  for (const sound of plan.sounds) keys.set(sound.id, soundKey(sound, plan, request, version));
  return keys;
}

async function obtainStretches(
  run: RenderRun,
  drawn: IdentifiedDrawings,
  keys: ReadonlyMap<string, string>,
): Promise<void> {
  const { plan, options } = run;
  const isCut = plan.outputs.some(({ picture }) => picture.from === "encoded" && picture.stretches.length > 1);
  const isLongEnough = ({ precedesPart, cut }: PlannedStretch, { seconds }: EncodedStream) =>
    !precedesPart || framesIn(seconds, plan.frameRate) >= cut.frames;
  await obtainStreams(run, plan.stretches, { keys, isUsable: isLongEnough }, async (missing, deliver) => {
    const runs = gatherRuns(missing, plan.width * plan.height);
    const lanes = options.concurrency ?? 1;
    let left = runs.length;
    const onEncoded = (): void => {
      left -= 1;
      if (left === 0) options.onPicturesReady?.();
    };
    const encodeHere = async (place: number): Promise<void> => {
      const pictures = runs[place]!;
      const encoded = runStep("encode", () => encodeStretches(run, pictures, drawn, { deliver, onEncoded }), {
        stretches: pictures.cuts.length * pictures.lines.length,
      });
      await (isCut ? encoded.catch(blameCut) : encoded);
    };
    await using shared = offerRuns(run, { runs, drawn, keys, onEncoded, deliver });
    if (!shared) return await inTurn(run, [...runs.keys()], lanes, encodeHere);
    const encodeNext = async (): Promise<void> => {
      for (let place = await shared.next(); place !== null; place = await shared.next()) await encodeHere(place);
    };
    await inTurn(run, Array.from({ length: lanes }), lanes, encodeNext);
  });
}

/** A missing end weighs more in a stretch than in the complete picture. */
function blameCut(error: unknown): never {
  throw error instanceof ClipmillError && error.code === "damaged"
    ? new CutError(error.code, error.message, detailsOf(error))
    : error;
}

async function obtainSounds(run: RenderRun, keys: ReadonlyMap<string, string>): Promise<void> {
  const lanes = Math.min(MAX_SOUNDS_AT_ONCE, os.availableParallelism());
  await obtainStreams(run, run.plan.sounds, { keys }, (missing, deliver) =>
    inTurn(run, missing, lanes, async (sound) => {
      try {
        await runStep("sound", () => encodeSound(run, sound, deliver));
      } catch (error) {
        if (!isOfContent(error)) throw error;
        run.failedSounds.set(sound.id, error);
        run.streams.failPart(sound.id, error);
      }
    }),
  );
}

function isOfContent(error: unknown): error is ClipmillError {
  return error instanceof ClipmillError && !error.isRetryable && error.code !== "cancelled";
}

/**
 * Muxes one file at a time as streams arrive, while the previous one is delivered. Adds outputs whose sound failed to
 * `failures`.
 */
async function makeFiles(
  run: RenderRun,
  keys: ReadonlyMap<string, string>,
  failures: Map<string, ClipmillError>,
): Promise<void> {
  let mayJoin: Promise<unknown> = Promise.resolve();
  let handingOver: Promise<unknown> = Promise.resolve();
  const files = Map.groupBy(run.plan.outputs, (output) => contentKey(output, keys, run.request));
  await Promise.all(
    [...files].map(async ([key, [first, ...others]]) => {
      const thumbnailKey = thumbnailKeyOf(first!, keys, run.request);
      const file = { contentKey: key, thumbnailKey, outputs: [first!, ...others] } satisfies IdenticalOutputs;
      try {
        await Promise.all(streamsOf(first!).map((id) => run.streams.get(id)));
        const joined = mayJoin.then(() =>
          runStep("mux", () => joinOutput(run, file), { outputs: file.outputs.length }),
        );
        const before = handingOver;
        const handedOver = before.then(async () => deliverOutput(run, file, await joined));
        // No further ahead, because undelivered files take disk space.
        mayJoin = Promise.all([joined, before]);
        handingOver = handedOver;
        mayJoin.catch(() => {});
        await Promise.all([joined, handedOver]);
      } catch (error) {
        const failure = streamsOf(first!).flatMap((id) => run.failedSounds.get(id) ?? [])[0];
        if (!failure) run.fail(error);
        else for (const { key } of file.outputs) failures.set(key, failure);
      }
    }),
  );
  await Promise.allSettled([mayJoin, handingOver]);
}

/** The first failure aborts the run; rejects after all work has ended. */
async function inTurn<T>(
  run: RenderRun,
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  await forEachAtOnce(items, atOnce, async (item) => {
    // A failure aborts the run, which stops the others; forEachAtOnce would wait for them first.
    await work(item).catch((error: unknown) => run.fail(error));
    run.signal.throwIfAborted();
  }).catch(() => {});
  run.signal.throwIfAborted();
}
