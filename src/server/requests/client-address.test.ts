import { Hono } from "hono";
import { expect, it } from "vitest";
import { clientAddress } from "./client-address.ts";
import { identifyProxies } from "./known-proxies.ts";
import type { ServerEnv } from "../server-context.ts";

const app = new Hono<ServerEnv>()
  .use(identifyProxies(["10.0.0.0/8", "192.0.2.7", "2001:db8:7::/48"]))
  .get("/", (c) => c.text(clientAddress(c)));

it.each([
  ["a client", "203.0.113.9", null, "203.0.113.9"],
  ["a client that claims another address", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["a proxy on this machine", "127.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["a proxy of a named network", "10.200.3.4", "198.51.100.1", "198.51.100.1"],
  ["a proxy of a named network, as IPv6 writes it", "::ffff:10.200.3.4", "198.51.100.1", "198.51.100.1"],
  ["a named proxy", "192.0.2.7", "198.51.100.1", "198.51.100.1"],
  ["the neighbour of a named proxy", "192.0.2.8", "198.51.100.1", "192.0.2.8"],
  ["a proxy with an IPv6 address", "2001:db8:7::1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"],
  ["a proxy that hands on what a client made up", "10.1.1.1", "6.6.6.6, 198.51.100.1", "198.51.100.1"],
  ["the nearest of two named proxies", "10.1.1.1", "6.6.6.6, 198.51.100.1, 192.0.2.7", "198.51.100.1"],
  ["a proxy that names nobody", "10.1.1.1", "somebody", "10.1.1.1"],
])("counts %s at %s for %s as %s", async (_, remoteAddress, forwardedFor, address) => {
  const incoming = { socket: { remoteAddress, remotePort: 1234, remoteFamily: "IPv4" } };
  const headers: Record<string, string> = forwardedFor === null ? {} : { "x-forwarded-for": forwardedFor };
  const response = await app.request("/", { headers }, { incoming });
  expect(await response.text()).toBe(address);
});
