import type { Context } from "hono";
import { readPeer } from "../../requests/known-proxies.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";

/**
 * Detects browsers' https, which a proxy may terminate, from the Origin header, a known proxy's X-Forwarded-Proto, or
 * the public URL.
 */
export function isHttpsRequest(server: ServerContext, c: Context<ServerEnv>): boolean {
  const origin = URL.parse(c.req.header("origin") ?? "");
  if (origin) return origin.protocol === "https:";
  const forwarded = c.req.header("x-forwarded-proto");
  if (forwarded && readPeer(c).isKnownProxy) return forwarded === "https";
  const own = URL.parse(server.publicUrl ?? "");
  return own?.protocol === "https:" && own.host === c.req.header("host");
}
