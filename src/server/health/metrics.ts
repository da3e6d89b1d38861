import { timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { Gauge, Histogram, type Registry } from "prom-client";
import { sha256Of } from "#ground/checksum.ts";

/** A null `token` disables reading. */
export type Metrics = { registry: Registry; token: string | null };

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** By route pattern: the number of paths is unbounded. */
export function measureRequests({ registry }: Metrics) {
  const durations = new Histogram({
    name: "clipmill_http_request_duration_seconds",
    help: "Time from request to response headers, by route, method and status class.",
    labelNames: ["route", "method", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return createMiddleware(async (c, next) => {
    const stop = durations.startTimer();
    await next();
    const method = METHODS.has(c.req.method) ? c.req.method : "other";
    stop({ route: routePath(c), method, status: `${Math.floor(c.res.status / 100)}xx` });
  });
}

/** Requires the token. `refresh` updates metrics measured on demand. */
export function serveMetrics({ registry, token }: Metrics, refresh?: () => Promise<void>) {
  return async (c: Context): Promise<Response> => {
    if (token === null) return c.json({ error: "There is nothing at this address." }, 404);
    const given = sha256Of(c.req.header("authorization") ?? "");
    // Digests have equal lengths, so timing reveals neither the token nor its length.
    if (!timingSafeEqual(Buffer.from(given), Buffer.from(sha256Of(`Bearer ${token}`)))) {
      return c.json({ error: "The metrics token is missing or wrong." }, 401);
    }
    await refresh?.();
    return c.body(await registry.metrics(), 200, { "Content-Type": registry.contentType });
  };
}

/** Counts `clients` when metrics are read. Call it once per registry. */
export function countSockets({ registry }: Metrics, sockets: { clients: ReadonlySet<unknown> }): void {
  const gauge: Gauge = new Gauge({
    name: "clipmill_open_sockets",
    help: "Open live-update connections.",
    registers: [registry],
    collect: () => gauge.set(sockets.clients.size),
  });
}
