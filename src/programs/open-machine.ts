import path from "node:path";
import type { Logger } from "pino";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { describeFfmpegRisks } from "#contract/settings/ffmpeg-vulnerabilities.ts";
import type { Codec } from "#contract/jobs/jobs.ts";
import { checkEncoder } from "#media/ffmpeg/check-encoder.ts";
import { openEncoder } from "#media/ffmpeg/encoder-in-use.ts";
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

/** `notices`: what an operator should know about this machine's ffmpeg, in sentences. */
export type PreparedTools = MediaTools & { notices: string[] };

/** Finds ffmpeg and checks the encoder. Throws ClipmillError with one sentence. */
export async function prepareMediaTools(config: Config, log: Logger): Promise<PreparedTools> {
  const rejections: string[] = [];
  const tools = await findMediaTools({
    ffmpegPath: config.FFMPEG_PATH,
    onRejected: (sentence) => rejections.push(sentence),
  });
  const wanted = config.ENCODER;
  const open = (codec: Codec) =>
    openEncoder(wanted, {
      check: () => checkEncoder(tools.ffmpeg, wanted, { codec }),
      onRejected: (reason) =>
        log.warn({ wanted, codec, reason }, "this encoder does not work; using software until the next start"),
      onFailure: (reason) =>
        log.warn({ wanted, codec, reason }, "this encoder failed on a video, which was encoded in software"),
    });
  const encoder = await open("h264");
  const hevcEncoder = encoder.state().refusal === null ? await open("hevc") : encoder;
  const { ffmpeg: file, version, origin } = tools;
  log.debug({ file, version, origin }, "selected ffmpeg");
  const risks = describeFfmpegRisks({ ffmpeg: version, origin, missingLimits: [...missingLimits()] });
  return { ...tools, encoder, hevcEncoder, notices: [...rejections, ...risks] };
}

function measureDisk(registry: Registry, disk: DiskGuard): void {
  const gauge = (name: string, help: string, field: "freeBytes" | "totalBytes"): void => {
    const measured: Gauge = new Gauge({
      ...{ name, help, registers: [registry] },
      collect: () => measured.set(disk.space()?.[field] ?? Number.NaN),
    });
  };
  gauge("clipmill_disk_free_bytes", "Free space on the disk of DATA_DIR.", "freeBytes");
  gauge("clipmill_disk_size_bytes", "Size of the disk of DATA_DIR.", "totalBytes");
}

export async function openMachine(
  { dataDir, log }: Pick<Foundation, "dataDir" | "log">,
  tools: MediaTools,
): Promise<Machine> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  const sources = await openSourceCache(path.join(dataDir, "cache/sources"), MAX_CACHED_BYTES);
  const disk = await startDiskGuard(dataDir, log);
  measureDisk(registry, disk);
  const drawer = openTextDrawer();
  return {
    ...{ tools, drawer, sources, disk, registry },
    async [Symbol.asyncDispose]() {
      disk.stop();
      await drawer[Symbol.asyncDispose]();
    },
  };
}
