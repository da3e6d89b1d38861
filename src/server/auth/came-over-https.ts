import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import ipaddr from "ipaddr.js";
import type { ServerContext, ServerEnv } from "../server-context.ts";

/**
 * True when the browser's own connection is https, which a proxy may have ended before us. The browser says it itself
 * where it names its origin; then a proxy on this machine is asked, and last the configured address.
 */
export function cameOverHttps(server: ServerContext, c: Context<ServerEnv>): boolean {
  const origin = URL.parse(c.req.header("origin") ?? "");
  if (origin) return origin.protocol === "https:";
  const forwarded = c.req.header("x-forwarded-proto");
  if (forwarded && isLocalProxy(c)) return forwarded === "https";
  const own = URL.parse(server.publicUrl ?? "");
  return own?.protocol === "https:" && own.host === c.req.header("host");
}

function isLocalProxy(c: Context<ServerEnv>): boolean {
  const peer = getConnInfo(c).remote.address;
  return peer !== undefined && ipaddr.isValid(peer) && ipaddr.process(peer).range() === "loopback";
}
