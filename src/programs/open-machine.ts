import path from "node:path";
import type { Logger } from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { MissingLimit } from "#contract/settings/system.ts";
import { checkEncoder } from "#media/ffmpeg/check-encoder.ts";
import { openEncoder } from "#media/ffmpeg/encoder-in-use.ts";
import { knownHolesOf } from "#media/ffmpeg/choose-ffmpeg.ts";
import { missingLimits } from "#media/launch/isolation.ts";
import { openTextDrawer } from "#media/captions/drawing/text-drawer.ts";
import { findMediaTools, type MediaTools } from "#media/ffmpeg/tools.ts";
import { type DiskGuard, startDiskGuard } from "#worker/fleet/disk-guard.ts";
import { openSourceCache } from "#worker/sources/source-cache.ts";
import type { WorkerContext } from "#worker/worker-context.ts";
import type { Config } from "../config.ts";
import type { Foundation } from "./open-foundation.ts";

/** The default of 10 ms wakes an idle process a hundred times a second. */
const EVENT_LOOP_PRECISION_MS = 100;

const MAX_CACHED_BYTES = 20 * 1024 ** 3;

export type Machine = Pick<WorkerContext, "tools" | "drawer" | "sources"> & {
  disk: DiskGuard;
  registry: Registry;
} & AsyncDisposable;

const LIMIT_WARNINGS: Record<MissingLimit, string> = {
  memory: "cannot limit ffmpeg's memory (prlimit does not work): a malicious file can use up all memory",
  network:
    "cannot isolate ffmpeg from the network (unshare does not work): a malicious file that exploits ffmpeg can reach the network",
};

/** Finds ffmpeg and checks the encoder. Throws ClipmillError with one sentence. */
export async function prepareMediaTools(config: Config, log: Logger): Promise<MediaTools> {
  const tools = await findMediaTools({
    ffmpegPath: config.FFMPEG_PATH,
    onRefusal: (sentence) => log.warn(sentence),
  });
  const encoder = await openEncoder(config.ENCODER, {
    check: () => checkEncoder(tools.ffmpeg, config.ENCODER),
    onRefusal: (reason) =>
      log.warn({ wanted: config.ENCODER, reason }, "this encoder does not work; using software until the next start"),
    onFailure: (reason) =>
      log.warn({ wanted: config.ENCODER, reason }, "this encoder failed on a video, which was encoded in software"),
  });
  return { ...tools, encoder };
}

/** Separate, so that a failed start prints only its error. */
export function logMediaTools({ ffmpeg: file, version, origin }: MediaTools, log: Logger): void {
  log.info({ file, version, origin, knownVulnerabilities: knownHolesOf(version) }, "selected ffmpeg");
  for (const limit of missingLimits()) log.warn(LIMIT_WARNINGS[limit]);
}

export async function openMachine({ dataDir, log }: Foundation, tools: MediaTools): Promise<Machine> {
  logMediaTools(tools, log);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  const sources = await openSourceCache(path.join(dataDir, "cache/sources"), MAX_CACHED_BYTES);
  const disk = await startDiskGuard(dataDir, log);
  const drawer = openTextDrawer();
  return {
    ...{ tools, drawer, sources, disk, registry },
    async [Symbol.asyncDispose]() {
      disk.stop();
      await drawer[Symbol.asyncDispose]();
    },
  };
}
