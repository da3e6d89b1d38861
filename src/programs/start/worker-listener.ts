import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type { Logger } from "pino";
import type { DiskState } from "#contract/settings/system.ts";
import { openPort } from "#http/open-port.ts";
import { handleError } from "#server/requests/handle-error.ts";
import { answerMetrics, type Metrics } from "#server/health/metrics.ts";
import type { ServerEnv } from "#server/server-context.ts";
import type { WorkerState } from "#worker/start-worker.ts";

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
export async function openWorkerListener(options: Options): Promise<{ url: string } & AsyncDisposable> {
  const { host, port, metrics, readState, readDisk, log } = options;
  const app = new Hono<ServerEnv>();
  app.onError(handleError(log, (fault, c) => c.json({ error: fault.sentence }, fault.status)));
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
  app.get("/metrics", answerMetrics(metrics));
  const listener = getRequestListener(app.fetch, { hostname: host });
  const opened = await openPort(
    { host, port, setting: "METRICS_PORT", maxRequestMs: MAX_REQUEST_MS },
    (request, response) => void listener(request, response),
  );
  return { url: opened.url, [Symbol.asyncDispose]: () => opened.close() };
}
