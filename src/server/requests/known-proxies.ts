import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type Address, createProxyCheck, parseAddress } from "#http/connection-ledger.ts";
import type { ServerEnv } from "../server-context.ts";

/** For `readPeer`. Loopback addresses are always trusted. */
export function identifyProxies(networks: string[]) {
  const isKnownProxy = createProxyCheck(networks);
  return createMiddleware<ServerEnv>(async (c, next) => {
    c.set("isKnownProxy", isKnownProxy);
    await next();
  });
}

/** May be a proxy's; null if unknown. */
export function readPeer(c: Context<ServerEnv>): { address: Address | null; isKnownProxy: boolean } {
  const address = parseAddress(getConnInfo(c).remote.address);
  return { address, isKnownProxy: address !== null && c.get("isKnownProxy")(address) };
}
