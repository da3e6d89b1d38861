import path from "node:path";
import type { Logger } from "pino";
import { ClipmillError } from "#contract/errors.ts";
import { makeDataDirPrivate } from "#database/embedded/private-data-dir.ts";
import { retry } from "#ground/repeat.ts";
import { createSlots } from "#ground/slots.ts";
import { PIXELS_PER_RUN } from "#media/plan/picture-runs.ts";
import { openStreamCache } from "#media/render/stream-cache.ts";
import { openServerLine } from "#worker/by-token/server-line.ts";
import { startWorkerByToken } from "#worker/by-token/start-worker-by-token.ts";
import { createWorkerFigures } from "#worker/fleet/worker-figures.ts";
import { createProbeCache } from "#worker/sources/probe-cache.ts";
import type { Worker, WorkerEnd } from "#worker/start-worker.ts";
import type { Config } from "../../config.ts";
import { endWithError } from "../end-with-error.ts";
import { hasAppSecret } from "../first-start/app-secret.ts";
import { isInstalled } from "../open-configured.ts";
import { lockPrograms } from "../open-foundation.ts";
import { openMachine, type PreparedTools, prepareMediaTools } from "../open-machine.ts";
import { MAX_STREAM_BYTES, openListener, WORKER_ID, type WorkerProgram } from "./start-worker-program.ts";

export type TokenAccess = { server: string; token: string };

const MAX_INTERVAL_MS = 2 ** 31 - 1;
/** Time to kill ffmpeg and remove its files. */
const STOP_MS = 10_000;
/** A server may be starting. */
const PAUSES = { firstMs: 500, mostMs: 5_000 };

/**
 * Starts a worker that reaches the queue, the database and the storage only through the server. It exits when the server
 * rejects its token or version. Throws ClipmillError with one sentence, "invalid" for an environment that has what such a
 * worker must not have.
 */
export async function startWorkerByTokenProgram(
  config: Config,
  access: TokenAccess,
  log: Logger,
  end: Required<WorkerEnd>,
): Promise<WorkerProgram> {
  requireNoSecrets(config);
  requireProtected(access.server);
  await using stack = new AsyncDisposableStack();
  stack.use(lockPrograms(config, ["worker"]));
  const dataDir = path.resolve(config.DATA_DIR);
  makeDataDirPrivate(dataDir);
  const tools = await prepareMediaTools(config, log);
  for (const notice of tools.notices) log.warn(notice);
  let hasStarted = false;
  let rejection: ClipmillError | null = null;
  const endRejected = async (reason: ClipmillError): Promise<void> => {
    if (rejection) return;
    rejection = reason;
    // Before, the start reports it.
    if (!hasStarted) return;
    // Also keeps the process running until then.
    setTimeout(endWithError, STOP_MS, reason);
    await running.disposeAsync().catch(() => {});
    endWithError(reason);
  };
  const line = openServerLine(access, (error) => void endRejected(error));
  stack.defer(() => line.close());
  let isFirst = true;
  await retry(() => line.call("/wait", { seconds: 0 }), {
    ...PAUSES,
    onError(error) {
      if (!(error instanceof ClipmillError) || error.code !== "unavailable") throw error;
      if (isFirst) log.warn({ err: error }, `waiting for ${access.server}`);
      isFirst = false;
    },
  });
  const worker = stack.use(await openWorker({ config, dataDir, log }, tools, line, end));
  // Between two requests, nothing else keeps the process running: pauses and idle connections do not.
  const staying = setInterval(() => {}, MAX_INTERVAL_MS);
  stack.defer(() => clearInterval(staying));
  const running = stack.move();
  hasStarted = true;
  const stop = async (): Promise<void> => {
    await worker.finishInTime(config.STOP_NOTICE_SECONDS * 1_000);
    await running.disposeAsync();
  };
  return { url: worker.url, stop };
}

type Installation = { config: Config; dataDir: string; log: Logger };

async function openWorker(
  own: Installation,
  tools: PreparedTools,
  line: ReturnType<typeof openServerLine>,
  end: Required<WorkerEnd>,
): Promise<Pick<WorkerProgram, "url"> & Pick<Worker, "finishInTime"> & AsyncDisposable> {
  const { config, dataDir, log } = own;
  await using stack = new AsyncDisposableStack();
  const { drawer, sources, disk, registry } = stack.use(await openMachine(own, tools));
  let worker: Worker | null = null;
  // Opened first: a worker whose port is in use must claim nothing.
  const listener = await openListener(own, { registry, disk }, () => worker?.readState() ?? null);
  stack.use(listener);
  worker = await startWorkerByToken(
    {
      ...{ line, tools, drawer, sources, disk, log, probes: createProbeCache() },
      streams: await openStreamCache(path.join(dataDir, "cache/streams"), MAX_STREAM_BYTES),
      encoderSlots: createSlots(PIXELS_PER_RUN),
      scratchRoot: path.join(dataDir, "scratch"),
      id: WORKER_ID,
      idFile: path.join(dataDir, "worker-id"),
      figures: createWorkerFigures(registry),
      baseUrls: config.sourceBaseUrls,
      ytDlpPath: config.YT_DLP_PATH ?? null,
    },
    config.WORKER_CONCURRENCY,
    end,
  );
  const { finishInTime, stop } = worker;
  stack.defer(stop);
  const running = stack.move();
  return { url: listener?.url ?? null, finishInTime, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Throws ClipmillError "invalid" if the machine has access to the database or the storage, or holds a secret. */
function requireNoSecrets(config: Config): void {
  const set = (["DATABASE_URL", "DATABASE_SESSION_URL", "STORAGE_URL", "APP_SECRET"] as const).filter(
    (name) => config[name] !== undefined,
  );
  if (set.length > 0) {
    throw new ClipmillError(
      "invalid",
      `A worker with a token must not have ${set.join(", ")}. Remove what its machine should not know, or start the worker without --server.`,
    );
  }
  const dataDir = path.resolve(config.DATA_DIR);
  if (!isInstalled(dataDir) && !hasAppSecret(config, dataDir)) return;
  throw new ClipmillError(
    "invalid",
    `${dataDir} is the data directory of an installation. Set DATA_DIR to another one.`,
  );
}

/** Throws ClipmillError "invalid" for an address that would send the token unencrypted over a network. */
function requireProtected(server: string): void {
  const { protocol, hostname } = new URL(server);
  if (protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname)) return;
  throw new ClipmillError(
    "invalid",
    "Use the server's https address: over http, anyone on the network can read the token.",
  );
}
