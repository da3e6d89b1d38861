import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { ServerEnv } from "../server-context.ts";

const PATH = "/realtime/v1/websocket";

export function isHandshake({ method, url, headers }: IncomingMessage): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;
  return (
    method === "GET" && !hasBody && headers.upgrade?.toLowerCase() === "websocket" && url?.split("?", 1)[0] === PATH
  );
}

export function isUpgrading(c: Context<ServerEnv>): boolean {
  return c.req.header("upgrade") !== undefined && c.env.outgoing === undefined;
}
