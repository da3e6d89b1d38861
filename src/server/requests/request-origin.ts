import type { Context } from "hono";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { readPeer } from "./known-proxies.ts";

/**
 * Returns the origin that the client uses for this server. With PUBLIC_URL, a Host header cannot change it, except to one
 * of the server's own addresses in a request without a proxy.
 */
export function requestOrigin(
  { publicUrl, ownOrigins }: Pick<ServerContext, "publicUrl" | "ownOrigins">,
  c: Context<ServerEnv>,
): string {
  const requested = new URL(c.req.url);
  const forwarded = c.req.header("x-forwarded-proto");
  if (forwarded === "https" && readPeer(c).isKnownProxy) requested.protocol = "https:";
  const known = URL.parse(publicUrl ?? "")?.origin;
  if (known === undefined) return requested.origin;
  const isProxied = forwarded !== undefined || c.req.header("x-forwarded-for") !== undefined;
  return !isProxied && ownOrigins.includes(requested.origin) ? requested.origin : known;
}
