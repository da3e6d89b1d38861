import { createMiddleware } from "hono/factory";
import type { ServerEnv } from "../server-context.ts";

/**
 * Lets assistants that run in browsers call from their own site. Without credentials, a browser sends no cookies, and
 * these addresses accept none: only a Bearer token or a code counts, which a page must already have.
 */
export const allowOtherOrigins = createMiddleware<ServerEnv>(async (c, next) => {
  const isPreflight = c.req.method === "OPTIONS" && c.req.header("access-control-request-method") !== undefined;
  if (isPreflight) {
    c.header("Access-Control-Allow-Origin", "*");
    c.header("Access-Control-Allow-Methods", "GET, POST, DELETE");
    // The asterisk does not include Authorization.
    c.header("Access-Control-Allow-Headers", "Authorization, *");
    c.header("Access-Control-Max-Age", "600");
    return c.body(null, 204);
  }
  await next();
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy");
  return undefined;
});
