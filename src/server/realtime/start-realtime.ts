import { upgradeWebSocket } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { WebSocket } from "ws";
import { ClipmillError } from "#contract/errors.ts";
import type { Database } from "#database/open-database.ts";
import { REVOKED_CHANNEL } from "#operations/accounts/sessions/revoke-sessions.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { startChangeFeed } from "./change-feed.ts";
import { type Connection, openConnection, isUpgrading } from "./connection.ts";

/** Slower clients are disconnected, and then read again. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;
/** Clients send a heartbeat every 25 s. */
const IDLE_TIMEOUT_MS = 75_000;
/** Anyone can open a socket; joining requires a session. */
const MAX_UNJOINED_MS = 10_000;
const RESTARTING = 1012;

export type Realtime = { routes: Hono<ServerEnv>; stop(): Promise<void> };

/**
 * Returns the WebSocket routes (PROTOCOL 4). Disconnects sockets that join no channel within `maxUnjoinedMs`. `stop`
 * closes all with status 1012.
 */
export async function startRealtime(
  server: ServerContext,
  database: Database,
  maxUnjoinedMs = MAX_UNJOINED_MS,
): Promise<Realtime> {
  const feed = await startChangeFeed(server, database, server.log);
  const open = new Map<WebSocket, Connection>();
  const unlisten = await database.listen(
    REVOKED_CHANNEL,
    (sessionId) => {
      for (const connection of open.values()) connection.endSession(sessionId);
    },
    // A revocation may have been missed; joining checks the session.
    () => {
      for (const connection of open.values()) connection.rejoin();
    },
  );

  const routes = new Hono<ServerEnv>();
  routes.get(
    "/websocket",
    rejectPlain,
    upgradeWebSocket((c) => {
      const version = c.req.query("vsn") === "2.0.0" ? "2.0.0" : "1.0.0";
      let connection: Connection | null = null;
      let idleTimer: NodeJS.Timeout | undefined;
      let joinTimer: NodeJS.Timeout | undefined;
      return {
        onOpen(_event, context) {
          const socket = context.raw as WebSocket;
          idleTimer = setTimeout(() => socket.terminate(), IDLE_TIMEOUT_MS);
          joinTimer = setTimeout(() => socket.terminate(), maxUnjoinedMs);
          const write = (text: string): void => {
            if (socket.readyState !== WebSocket.OPEN) return;
            socket.send(text);
            if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
          };
          connection = openConnection(server, feed, version, { write, onJoin: () => clearTimeout(joinTimer) });
          open.set(socket, connection);
        },
        onMessage(event) {
          idleTimer?.refresh();
          // Binary frames are client broadcasts, which are not supported.
          if (typeof event.data === "string") connection?.receive(event.data);
        },
        onClose(_event, context) {
          clearTimeout(idleTimer);
          clearTimeout(joinTimer);
          connection?.close();
          open.delete(context.raw as WebSocket);
        },
      };
    }),
  );
  routes.all("*", () => {
    throw needsWebSocket();
  });

  return {
    routes,
    async stop() {
      for (const socket of open.keys()) socket.close(RESTARTING, "restart");
      await unlisten();
      await feed.stop();
    },
  };
}

/** Includes variants of the path, which the port does not upgrade. */
const rejectPlain: MiddlewareHandler<ServerEnv> = async (c, next) => {
  if (!isUpgrading(c)) throw needsWebSocket();
  await next();
};

function needsWebSocket(): ClipmillError {
  return new ClipmillError("invalid", "Live updates require a WebSocket.");
}
