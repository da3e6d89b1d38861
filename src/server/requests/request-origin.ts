import type { Context } from "hono";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { readPeer } from "./known-proxies.ts";

const HEADERS_OF_PROXIES = [
  "x-forwarded-proto",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-real-ip",
  "forwarded",
  "via",
] as const;

/**
 * Returns the origin that the client uses for this server. With PUBLIC_URL, a Host header cannot change it, except to one
 * of the server's own addresses in a request without a proxy.
 */
export function requestOrigin(
  { publicUrl, ownOrigins }: Pick<ServerContext, "publicUrl" | "ownOrigins">,
  c: Context<ServerEnv>,
): string {
  const requested = new URL(c.req.url);
  // Each of several proxies may add its own.
  const forwarded = c.req.header("x-forwarded-proto")?.split(",")[0]!.trim().toLowerCase();
  if (forwarded === "https" && readPeer(c).isKnownProxy) requested.protocol = "https:";
  const known = URL.parse(publicUrl ?? "")?.origin;
  if (known === undefined) return requested.origin;
  const isProxied = HEADERS_OF_PROXIES.some((name) => c.req.header(name) !== undefined);
  return !isProxied && ownOrigins.includes(requested.origin) ? requested.origin : known;
}
