import type { Context } from "hono";
import { readPeer } from "../../requests/known-proxies.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";

/**
 * True when the browser's own connection is https, which a proxy may have ended before us. The browser says it itself
 * where it names its origin; then a known proxy is asked, and last the configured address.
 */
export function cameOverHttps(server: ServerContext, c: Context<ServerEnv>): boolean {
  const origin = URL.parse(c.req.header("origin") ?? "");
  if (origin) return origin.protocol === "https:";
  const forwarded = c.req.header("x-forwarded-proto");
  if (forwarded && readPeer(c).isKnownProxy) return forwarded === "https";
  const own = URL.parse(server.publicUrl ?? "");
  return own?.protocol === "https:" && own.host === c.req.header("host");
}
