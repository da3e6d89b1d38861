import { Client, escapeIdentifier } from "pg";
import { answersInTime } from "./answers-in-time.ts";
import { showInUse } from "../embedded/in-use.ts";
import type { ServerLine } from "./server-line.ts";

const RECONNECT_MS = 500;
/** How often the server is asked whether it is still there, and how long it may take to answer. */
const ASK_MS = 3_000;
const ANSWER_MS = 4_000;

type Listener = { channel: string; onPayload: (payload: string) => void; onGap: (() => void) | undefined };

export type ServerListener = {
  /** As Database.listen. */
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

/**
 * LISTEN for all channels of this process on a connection of its own, opened with the first of them and again whenever it
 * is lost; `onGap` then says that notices may have been missed. Somebody who only listens never learns that the other side
 * is gone, so the server is asked now and then; when it stays silent, here or while this connection is opened, the whole line
 * is dropped.
 */
export function createServerListener(line: ServerLine): ServerListener {
  const listeners = new Set<Listener>();
  let client: Promise<Client> | null = null;
  let isClosed = false;
  let reconnecting: NodeJS.Timeout | undefined;

  const connect = async (): Promise<Client> => {
    const next = new Client(line.options);
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
    const asking = setInterval(() => void dropIfSilent(next.query("select 1").catch(() => {})), ASK_MS);
    next.once("end", () => {
      clearInterval(asking);
      client = null;
      reconnectSoon();
    });
    return next;
  };
  const open = async (next: Client): Promise<void> => {
    await next.connect();
    await showInUse(next);
    // Those that come meanwhile wait for this connection, and are added by themselves.
    for (const channel of new Set([...listeners].map((listener) => listener.channel))) await listenTo(next, channel);
  };
  /** While it is being opened, too: the line may go silent again before it is, and others have opened theirs by then. */
  const dropIfSilent = async (answer: Promise<unknown>): Promise<void> => {
    if (!(await answersInTime(answer, ANSWER_MS))) line.drop();
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
        throw error;
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
