import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import ipaddr from "ipaddr.js";
import type { ServerEnv } from "./server-context.ts";

/**
 * Who is counted for throttling: the client's IPv4 address, or its IPv6 network, as one home has 2^64 addresses.
 * Only a proxy on this machine is believed about whom it speaks for.
 */
export function clientAddress(c: Context<ServerEnv>): string {
  const peer = parse(getConnInfo(c).remote.address);
  const forwarded = c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim();
  const address = (peer?.range() === "loopback" && parse(forwarded)) || peer;
  if (!address) return "unknown";
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(":") : address.toString();
}

function parse(address: string | undefined) {
  return address && ipaddr.isValid(address) ? ipaddr.process(address) : null;
}
