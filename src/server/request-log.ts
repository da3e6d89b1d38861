import { randomUUID } from "node:crypto";
import { createMiddleware } from "hono/factory";
import type { Logger } from "pino";
import type { ServerEnv } from "./server-context.ts";

const QUIET_PATHS = new Set(["/health", "/ready", "/metrics"]);

/** One line per request. The query stays out of it: signed links and keys travel there. */
export function requestLog(log: Logger) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const requestId = randomUUID();
    const startedMs = performance.now();
    c.set("requestId", requestId);
    await next();
    const line = {
      requestId,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round(performance.now() - startedMs),
    };
    if (QUIET_PATHS.has(c.req.path) || c.req.path.startsWith("/assets/")) log.debug(line, "request");
    else log.info(line, "request");
  });
}
