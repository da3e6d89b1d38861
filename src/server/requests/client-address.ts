import type { Context } from "hono";
import { rateLimitKey, readClient } from "#http/connection-ledger.ts";
import { readPeer } from "./known-proxies.ts";
import type { ServerEnv } from "../server-context.ts";

export function clientAddress(c: Context<ServerEnv>): string {
  const { address } = readPeer(c);
  return rateLimitKey(address && readClient(address, c.req.header("x-forwarded-for"), c.get("isKnownProxy")));
}
