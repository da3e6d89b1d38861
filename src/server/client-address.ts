import type { Context } from "hono";
import ipaddr from "ipaddr.js";
import { readPeer } from "./known-proxies.ts";
import type { ServerEnv } from "./server-context.ts";

/**
 * Who is counted for throttling: the client's IPv4 address, or its IPv6 network, as one home has 2^64 addresses.
 * Only a known proxy is believed about whom it speaks for.
 */
export function clientAddress(c: Context<ServerEnv>): string {
  const peer = readPeer(c);
  const forwarded = c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim();
  const address = (peer.isKnownProxy && parse(forwarded)) || peer.address;
  if (!address) return "unknown";
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}

function parse(address: string | undefined) {
  return address && ipaddr.isValid(address) ? ipaddr.process(address) : null;
}
