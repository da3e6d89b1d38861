import { Client, escapeIdentifier } from "pg";
import { explainOutage } from "./explain-outages.ts";
import { respondsWithin } from "./responds-within.ts";
import { markInUse } from "../embedded/in-use.ts";
import type { ServerLines } from "./server-line.ts";

const RECONNECT_MS = 500;
const HEALTH_CHECK_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 4_000;

type Listener = { channel: string; onPayload: (payload: string) => void; onGap: (() => void) | undefined };

export type ServerListener = {
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

/**
 * Listens on one separate connection, opened for the first channel and reopened when lost (`onGap`). Listening never
 * detects a dead server, so it is queried regularly; without a response, all connections are dropped.
 */
export function createServerListener(line: Pick<ServerLines, "session" | "drop">): ServerListener {
  const listeners = new Set<Listener>();
  let client: Promise<Client> | null = null;
  let isClosed = false;
  let reconnecting: NodeJS.Timeout | undefined;

  const connect = async (): Promise<Client> => {
    const next = new Client(line.session);
    next.on("notification", ({ channel, payload }) => {
      for (const listener of listeners) if (listener.channel === channel) listener.onPayload(payload ?? "");
    });
    // "end" follows.
    next.on("error", () => {});
    const opened = open(next);
    try {
      await dropIfSilent(opened);
      await opened;
    } catch (error) {
      next.end().catch(() => {});
      throw error;
    }
    const healthCheck = setInterval(() => void dropIfSilent(next.query("select 1").catch(() => {})), HEALTH_CHECK_MS);
    next.once("end", () => {
      clearInterval(healthCheck);
      client = null;
      reconnectSoon();
    });
    return next;
  };
  const open = async (next: Client): Promise<void> => {
    await next.connect();
    await markInUse(next);
    // Later listeners wait for this connection and subscribe themselves.
    for (const channel of new Set([...listeners].map((listener) => listener.channel))) await listenTo(next, channel);
  };
  /** The server may stop responding even while the connection opens. */
  const dropIfSilent = async (response: Promise<unknown>): Promise<void> => {
    if (!(await respondsWithin(response, RESPONSE_TIMEOUT_MS))) line.drop();
  };
  const reconnect = async (): Promise<void> => {
    try {
      await (client ??= connect());
    } catch {
      client = null;
      return reconnectSoon();
    }
    for (const listener of listeners) listener.onGap?.();
  };
  const reconnectSoon = (): void => {
    clearTimeout(reconnecting);
    if (isClosed || listeners.size === 0) return;
    reconnecting = setTimeout(() => void reconnect(), RECONNECT_MS);
  };

  return {
    async listen(channel, onPayload, onGap) {
      const listener = { channel, onPayload, onGap };
      listeners.add(listener);
      try {
        client ??= connect();
        await listenTo(await client, channel);
      } catch (error) {
        client = null;
        listeners.delete(listener);
        explainOutage(error);
      }
      return async () => {
        listeners.delete(listener);
      };
    },
    async close() {
      isClosed = true;
      clearTimeout(reconnecting);
      const last = await client?.catch(() => null);
      await last?.end();
    },
  };
}

async function listenTo(client: Client, channel: string): Promise<void> {
  await client.query(`LISTEN ${escapeIdentifier(channel)}`);
}
