import { randomUUID } from "node:crypto";
import path from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type { Logger } from "pino";
import type { DiskState } from "#contract/settings/system.ts";
import { createSlots } from "#ground/slots.ts";
import { openPort } from "#http/open-port.ts";
import type { MediaTools } from "#media/ffmpeg/tools.ts";
import { PIXELS_PER_RUN } from "#media/plan/picture-runs.ts";
import { openStreamCache } from "#media/render/stream-cache.ts";
import { readDatabaseTime } from "#operations/hosts/wake-waiting.ts";
import { serveMetrics, type Metrics } from "#server/health/metrics.ts";
import { handleError } from "#server/requests/error-response.ts";
import type { ServerEnv } from "#server/server-context.ts";
import { createWorkerFigures } from "#worker/fleet/worker-figures.ts";
import { startWorker, type Worker, type WorkerEnd, type WorkerState } from "#worker/start-worker.ts";
import type { Config } from "../../config.ts";
import { awaitDatabase } from "../await-database.ts";
import {
  type Foundation,
  lockPrograms,
  openFoundation,
  requireServerDatabase,
  warnAboutLocalFiles,
} from "../open-foundation.ts";
import { type Machine, openMachine, prepareMediaTools } from "../open-machine.ts";
import { openPrefetching, type Prefetching } from "./open-prefetching.ts";

/** A start that lost its database is repeated with the same id. */
export const WORKER_ID = randomUUID();

export const MAX_STREAM_BYTES = 10 * 1024 ** 3;

/** `url` serves health and metrics; null without METRICS_PORT. */
export type WorkerProgram = {
  url: string | null;
  /** Finishes videos that end within `STOP_NOTICE_SECONDS`. */
  stop: () => Promise<void>;
};

/**
 * Calls `onDrained` when drained or, with `isUntilIdle`, idle for ten seconds; the caller then stops it. Throws
 * ClipmillError with one sentence.
 */
export async function startWorkerProgram(
  config: Config,
  log: Logger,
  end: Required<WorkerEnd>,
): Promise<WorkerProgram> {
  requireServerDatabase(config, "worker");
  await using stack = new AsyncDisposableStack();
  stack.use(lockPrograms(config, ["worker"]));
  const tools = await prepareMediaTools(config, log);
  const { url, finishInTime } = stack.use(await awaitDatabase(log, () => openLoneWorker(config, tools, log, end)));
  warnAboutLocalFiles(config, log);
  for (const notice of tools.notices) log.warn(notice);
  const running = stack.move();
  const stop = async (): Promise<void> => {
    await finishInTime(config.STOP_NOTICE_SECONDS * 1_000);
    await running.disposeAsync();
  };
  return { url, stop };
}

async function openLoneWorker(
  config: Config,
  tools: MediaTools,
  log: Logger,
  end: Required<WorkerEnd>,
): Promise<Pick<WorkerProgram, "url"> & Pick<Worker, "finishInTime"> & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const foundation = stack.use(await openFoundation(config, log, { service: "clipmill-worker", isWorker: true }));
  const machine = stack.use(await openMachine(foundation, tools));
  let worker: RunningWorker | null = null;
  // Opened first: a worker whose port is in use must claim nothing.
  const listener = await openListener(foundation, machine, () => worker?.readState() ?? null);
  stack.use(listener);
  const prefetching = stack.use(openPrefetching(foundation, machine));
  worker = stack.use(await openWorker(foundation, machine, prefetching, end));
  const { finishInTime } = worker;
  const running = stack.move();
  return { url: listener?.url ?? null, finishInTime, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

export async function openListener(
  { config, log }: Pick<Foundation, "config" | "log">,
  { registry, disk }: Pick<Machine, "registry" | "disk">,
  readState: () => WorkerState | null,
): Promise<({ url: string } & AsyncDisposable) | null> {
  const { HOST: host, METRICS_PORT: port, METRICS_TOKEN: token = null } = config;
  if (port === undefined) return null;
  const readDisk = () => disk.state();
  return await openWorkerListener({ host, port, metrics: { registry, token }, readState, readDisk, log });
}

type RunningWorker = Pick<Worker, "readState" | "finishInTime"> & AsyncDisposable;

/** Starts claiming videos. Disposing returns those in progress to the queue. Without `onDrained`, it cannot be drained. */
export async function openWorker(
  { config, dataDir, database, context, log }: Foundation,
  { tools, drawer, sources, disk, registry }: Machine,
  { probes, prefetcher, scratchRoot }: Pick<Prefetching, "probes" | "prefetcher" | "scratchRoot">,
  end: WorkerEnd = {},
): Promise<RunningWorker> {
  const idFile = path.join(dataDir, "worker-id");
  const streams = await openStreamCache(path.join(dataDir, "cache/streams"), MAX_STREAM_BYTES);
  const encoderSlots = createSlots(PIXELS_PER_RUN);
  const costLimits = { videoMinutes: config.VIDEO_COST_LIMIT_MINUTES, jobMinutes: config.JOB_COST_LIMIT_MINUTES };
  const figures = createWorkerFigures(registry);
  const readNow = () => readDatabaseTime(context);
  const worker = await startWorker(
    {
      ...{ context, database, tools, drawer, sources, probes, prefetcher, streams, encoderSlots },
      ...{ costLimits, labels: config.WORKER_LABELS, scratchRoot, id: WORKER_ID, idFile, disk, figures, log, readNow },
    },
    config.WORKER_CONCURRENCY,
    end,
  );
  const { readState, finishInTime } = worker;
  return { readState, finishInTime, [Symbol.asyncDispose]: () => worker.stop() };
}

const MAX_REQUEST_MS = 10_000;

type Options = {
  host: string;
  port: number;
  metrics: Metrics;
  /** Null until the worker has joined. */
  readState: () => WorkerState | null;
  readDisk: () => DiskState;
  log: Logger;
};

/**
 * A worker is ready while its heartbeats reach the database, even when paused: a supervisor must not restart it for
 * that. Throws ClipmillError "conflict" if the port is in use.
 */
async function openWorkerListener(options: Options): Promise<{ url: string } & AsyncDisposable> {
  const { host, port, metrics, readState, readDisk, log } = options;
  const app = new Hono<ServerEnv>();
  app.onError(handleError(log, (error, c) => c.json({ error: error.sentence }, error.status)));
  app.notFound((c) => c.json({ error: "There is nothing at this address." }, 404));
  app.get("/health", (c) => c.json({ status: "ok" }));
  app.get("/ready", (c) => {
    const state = readState();
    const database = state?.isConnected ?? false;
    const pauseReasons = state?.pauseReasons ?? [];
    const status = database ? "ready" : "not ready";
    const claiming = database && pauseReasons.length === 0;
    return c.json({ status, database, claiming, pauseReasons, disk: readDisk() }, database ? 200 : 503);
  });
  app.get("/metrics", serveMetrics(metrics));
  const listener = getRequestListener(app.fetch, { hostname: host });
  const opened = await openPort(
    { host, port, setting: "METRICS_PORT", maxRequestMs: MAX_REQUEST_MS },
    (request, response) => void listener(request, response),
  );
  return { url: opened.url, [Symbol.asyncDispose]: () => opened.close() };
}
