import { randomUUID } from "node:crypto";
import { createMiddleware } from "hono/factory";
import type { Logger } from "pino";
import { WORKER_PATH } from "#contract/workers/worker-protocol.ts";
import type { ServerEnv } from "../server-context.ts";

const GUEST_TOKEN = /^(\/guest\/)[^/]+/;
const QUIET_PATHS = new Set(["/health", "/ready", "/metrics"]);

/** Of pollers, workers by token, and the web app's files. */
export function isQuiet(path: string): boolean {
  return QUIET_PATHS.has(path) || path.startsWith("/assets/") || path.startsWith(`${WORKER_PATH}/`);
}

/** Uses "debug" and "trace" only. Omits the query, which can contain signatures and keys, and guest tokens. */
export function requestLog(log: Logger) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const requestId = randomUUID();
    const startedMs = performance.now();
    c.set("requestId", requestId);
    await next();
    const line = {
      requestId,
      method: c.req.method,
      path: c.req.path.replace(GUEST_TOKEN, "$1…"),
      status: c.res.status,
      ms: Math.round(performance.now() - startedMs),
    };
    if (isQuiet(c.req.path)) log.trace(line, "request");
    else log.debug(line, "request");
  });
}
