import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { PreviewResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { layerImages, nameImages } from "#contract/jobs/outputs/layer-rules.ts";
import { createTurns } from "#ground/slots.ts";
import type { MediaFile } from "#media/plan/render-plan.ts";
import { drawOnStill, type DrawnStill, type StillContent } from "#media/stills/preview.ts";
import type { DrawPreview, PreviewInput } from "#operations/previews/draw-preview.ts";
import type { MeasureSilences } from "#operations/previews/measure-silences.ts";
import { createSourceReader } from "#operations/sources/source-reader.ts";
import {
  keyOfMoment,
  type Moment,
  openPreviewStills,
  type PreviewStills,
  type StillMaker,
} from "../captions/preview-stills.ts";
import { contactUnconditionally } from "#operations/hosts/contact-host.ts";
import { fetchImage } from "../sources/fetch-source.ts";
import { makeScratch } from "../sources/scratch.ts";
import { createSilenceMeter } from "./silence-meter.ts";

/** For a slower video, the preview uses the plain background. */
const MAX_WAIT_FOR_VIDEO_MS = 4_000;
const MAX_DRAWING_MS = 20_000;

const STILL_FETCHING = "The video is still downloading. It will appear here when it is ready.";
const TOO_SLOW = "The preview took too long because the machine is busy. Try again in a moment.";

export type Previews = { draw: DrawPreview; measureSilences: MeasureSilences; stop(): Promise<void> };

type Base = { still: MediaFile; isOnVideo: boolean; reason: string | null; isPending: boolean };

/** Draws one at a time, to limit the load. No other process may use `root`. */
export async function openPreviews(worker: StillMaker & { log: Logger }, root: string): Promise<Previews> {
  const scratchRoot = path.join(root, "scratch");
  await rm(scratchRoot, { recursive: true, force: true });
  const stills = await openPreviewStills(worker, path.join(root, "stills"), scratchRoot);
  const silences = createSilenceMeter(worker, stills, scratchRoot);
  /** By session. A fetch may outlast its request. */
  const requests = new Map<string, AbortController>();
  const inFlight = new Map<string, Moment>();
  const stopping = new AbortController();
  const inTurn = createTurns();

  /** Also cancels the fetch of the previous moment unless another session needs it. */
  const setMoment = (sessionId: string, moment: Moment | null): void => {
    const before = inFlight.get(sessionId);
    inFlight.delete(sessionId);
    if (moment) {
      inFlight.set(sessionId, moment);
      const clear = (): void => void (inFlight.get(sessionId) === moment && inFlight.delete(sessionId));
      stills.take(moment).then(clear, clear);
    }
    if (before && !new Set([...inFlight.values()].map(keyOfMoment)).has(keyOfMoment(before))) stills.forget(before);
  };

  const drawInTurn = async (still: MediaFile, content: StillContent, signal: AbortSignal): Promise<DrawnStill> => {
    const limit = AbortSignal.timeout(MAX_DRAWING_MS);
    const either = AbortSignal.any([signal, limit]);
    try {
      return await inTurn(async () => {
        either.throwIfAborted();
        await using scratch = await makeScratch(scratchRoot, "preview");
        return await drawOnStill(worker, still, content, { folder: scratch.folder, signal: either });
      });
    } catch (error) {
      if (limit.aborted && !signal.aborted) throw new ClipmillError("unavailable", TOO_SLOW, { cause: error });
      throw error;
    }
  };

  return {
    async draw(request, { sessionId, signal }) {
      const own = new AbortController();
      requests.get(sessionId)?.abort();
      requests.set(sessionId, own);
      const either = AbortSignal.any([own.signal, signal, stopping.signal]);
      try {
        const moment = momentOf(request);
        setMoment(sessionId, moment);
        const base = await findBase(stills, worker.log, moment, either);
        const { images, reason } = await findImages(worker, request);
        const drawn = await drawInTurn(base.still, { request, images }, either);
        return toResponse({ ...base, reason: base.reason ?? reason }, drawn);
      } catch (error) {
        if (!either.aborted) throw error;
        throw new ClipmillError("cancelled", "A newer preview was requested.", { cause: error });
      } finally {
        if (requests.get(sessionId) === own) requests.delete(sessionId);
      }
    },
    measureSilences: silences.measure,
    async stop() {
      stopping.abort();
      await silences.stop();
      await stills.stop();
      await inTurn(async () => {});
    },
  };
}

async function findBase(stills: PreviewStills, log: Logger, moment: Moment | null, signal: AbortSignal): Promise<Base> {
  const plain = async (reason: string | null, isPending = false): Promise<Base> => {
    return { still: await stills.takeNeutral(), isOnVideo: false, reason, isPending };
  };
  if (!moment) return plain(null);
  const waiting = new AbortController();
  try {
    const either = AbortSignal.any([waiting.signal, signal]);
    const still = await Promise.race([stills.take(moment), delay(MAX_WAIT_FOR_VIDEO_MS, null, { signal: either })]);
    return still ? { still, isOnVideo: true, reason: null, isPending: false } : await plain(STILL_FETCHING, true);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ClipmillError) return await plain(error.message);
    log.warn({ err: error }, "could not extract a preview frame");
    return await plain("The video could not be read.");
  } finally {
    waiting.abort();
  }
}

function momentOf({ input_video: link, at_seconds: atSeconds }: PreviewInput): Moment | null {
  return link === null ? null : { link, atSeconds };
}

/** Paths by link. A missing image is left out, with the reason of the first. */
async function findImages(
  { context }: StillMaker,
  { watermark_image: watermark, layers }: PreviewInput,
): Promise<{ images: ReadonlyMap<string, string>; reason: string | null }> {
  const reader = createSourceReader(context);
  const images = new Map<string, string>();
  let reason: string | null = null;
  for (const [link, name] of nameImages(watermark, layerImages(layers, []))) {
    try {
      images.set(link, await fetchImage({ reader }, link, name, { contact: contactUnconditionally }));
    } catch (error) {
      if (!(error instanceof ClipmillError)) throw error;
      reason ??= error.message;
    }
  }
  return { images, reason };
}

function toResponse({ isOnVideo, reason, isPending }: Base, { picture, ...drawn }: DrawnStill): PreviewResponse {
  const data = `data:image/jpeg;base64,${picture.toString("base64")}`;
  return { picture: data, ...drawn, isOnVideo, reason, isPending };
}
