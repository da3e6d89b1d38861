import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import ipaddr from "ipaddr.js";
import type { ServerEnv } from "./server-context.ts";

/** True for the address of a proxy that is believed about whom it speaks for. */
export type IsKnownProxy = (address: ipaddr.IPv4 | ipaddr.IPv6) => boolean;

/** Lets all that follows know the proxies: those on this machine, and those at the given addresses and networks. */
export function knowProxies(networks: string[]) {
  const ranges = networks.map((name) => {
    if (ipaddr.isValidCIDR(name)) return ipaddr.parseCIDR(name);
    const address = ipaddr.process(name);
    return [address, address.kind() === "ipv4" ? 32 : 128] as [ipaddr.IPv4 | ipaddr.IPv6, number];
  });
  const isKnownProxy: IsKnownProxy = (address) =>
    address.range() === "loopback" ||
    ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  return createMiddleware<ServerEnv>(async (c, next) => {
    c.set("isKnownProxy", isKnownProxy);
    await next();
  });
}

/** Who is at the other end of the connection, and whether it is a proxy to believe. */
export function readPeer(c: Context<ServerEnv>): { address: ipaddr.IPv4 | ipaddr.IPv6 | null; isKnownProxy: boolean } {
  const { address: text } = getConnInfo(c).remote;
  const address = text && ipaddr.isValid(text) ? ipaddr.process(text) : null;
  return { address, isKnownProxy: address !== null && c.get("isKnownProxy")(address) };
}
