import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { currentSpan, runInSpan, type Tracing } from "#ground/tracing/tracing.ts";
import type { ServerEnv } from "../server-context.ts";
import { isQuiet } from "./request-log.ts";

/**
 * Continues the caller's trace (W3C's header `traceparent`). Requests that the server sends to itself belong to the one
 * that causes them. Uses the route's pattern: addresses contain tokens and signatures.
 */
export function traceRequests(tracing: Tracing) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    if (isQuiet(c.req.path)) return await next();
    const { method } = c.req;
    const start = { kind: "server", facts: { "http.request.method": method, request_id: c.get("requestId") } } as const;
    const cause = currentSpan();
    const span = cause
      ? cause.startChild(method, start)
      : tracing.startSpan(method, c.req.header("traceparent") ?? null, start);
    await runInSpan(span, async () => {
      await next();
      const { status } = c.res;
      span.rename(`${method} ${routePath(c)}`);
      span.addFacts({ "http.route": routePath(c), "http.response.status_code": status });
      if (status >= 500) span.fail(String(status), true);
    });
  });
}
