import type { Context } from "hono";
import ipaddr from "ipaddr.js";
import { readPeer } from "./known-proxies.ts";
import type { ServerEnv } from "./server-context.ts";

/**
 * Who is counted for throttling: the client's IPv4 address, or its IPv6 network, as one home has 2^64 addresses.
 * Only known proxies are believed about whom they speak for, one after the other from the nearest on.
 */
export function clientAddress(c: Context<ServerEnv>): string {
  let { address, isKnownProxy } = readPeer(c);
  const forwarded = c.req.header("x-forwarded-for")?.split(",") ?? [];
  while (isKnownProxy && forwarded.length > 0) {
    const next = parse(forwarded.pop()!.trim());
    if (!next) break;
    address = next;
    isKnownProxy = c.get("isKnownProxy")(next);
  }
  if (!address) return "unknown";
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}

function parse(address: string) {
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}
