/** How every program listens: one server that strangers cannot fill, on which only a WebSocket upgrades. */
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { ClipmillError } from "#contract/errors.ts";
import { countedAs, createProxyCheck, parseAddress, readClient } from "./client-address.ts";
import { createConnectionLedger } from "./connection-ledger.ts";
import { type ConnectionLimits, connectionLimits } from "./connection-limits.ts";
import { takeTurns } from "./take-turns.ts";

/** How long a new connection may take to send the head of its request, unless told otherwise. */
export const LONGEST_HEAD_MS = 20_000;
/** How long a request may take to arrive, unless told otherwise. */
const LONGEST_REQUEST_MS = 300_000;
/** How long a client may take none of an answer that is on its way, unless told otherwise. */
const LONGEST_STALL_MS = 120_000;
/** What a refused or closed WebSocket has to take its last bytes, if its client does not hang up. */
const LINGER_MS = 2_000;

export type PortOptions = {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** The setting that names the port, for the sentence when it is taken. */
  setting: string;
  /** Proxies on other machines: addresses and networks. */
  trustedProxies?: readonly string[] | undefined;
  longestRequestMs?: number;
  longestHeadMs?: number;
  longestStallMs?: number;
  /** Unless given, those that the descriptors of the process allow. */
  limits?: ConnectionLimits;
  http?: Pick<ServerOptions, "keepAliveTimeout" | "requireHostHeader" | "optimizeEmptyRequests">;
};

export type Port = {
  url: string;
  port: number;
  http: Server;
  /** Answers with `listener` from now on, and upgrades the requests that `isWebSocket` accepts. */
  serve(listener: RequestListener, isWebSocket?: (request: IncomingMessage) => boolean): void;
  /** Stops listening. What is being answered has `graceMs`; every other connection is destroyed. */
  close(graceMs?: number): Promise<void>;
};

/**
 * Listens on a port of a host. One client holds a limited number of connections, and so does the port; those that wait for a
 * request make room for new ones. Behind a known proxy a client is whom the proxy names. Throws ClipmillError "conflict" when
 * the port is taken.
 */
export async function openPort(options: PortOptions, first: RequestListener): Promise<Port> {
  const { longestRequestMs = LONGEST_REQUEST_MS } = options;
  const headersTimeout = Math.min(options.longestHeadMs ?? LONGEST_HEAD_MS, longestRequestMs);
  const isKnownProxy = createProxyCheck(options.trustedProxies ?? []);
  const ledger = createConnectionLedger(options.limits ?? connectionLimits());
  const clients = new WeakMap<Socket, (request: IncomingMessage) => string>();
  let listener = first;
  let isWebSocket: ((request: IncomingMessage) => boolean) | undefined;

  const take = takeTurns();
  const clientOf = (request: IncomingMessage): string => clients.get(request.socket)!(request);
  const http = createServer(
    {
      ...options.http,
      requestTimeout: longestRequestMs,
      headersTimeout,
      connectionsCheckingInterval: headersTimeout / 4,
      // Everything else is answered as plain HTTP: Node leaves an upgrade that nobody takes open for good. One that follows
      // a request without an answer would have that answer written into it.
      shouldUpgradeCallback(request) {
        if (!isWebSocket?.(request) || !ledger.isWaiting(request.socket)) return false;
        if (!ledger.begin(request.socket, clientOf(request))) return false;
        closeAfterLastBytes(request.socket);
        return true;
      },
    },
    (request, response) => {
      const client = clientOf(request);
      if (!ledger.begin(request.socket, client)) return refuse(response);
      // After an upgrade that was not taken, Node drops the bytes that came in the same packet.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      response.once("close", () => ledger.end(request.socket));
      take(client, () => listener(request, response));
    },
  );
  http.on("connection", (socket) => {
    const peer = parseAddress(socket.remoteAddress);
    const own = countedAs(peer);
    const isProxy = peer !== null && isKnownProxy(peer);
    clients.set(socket, ({ headers }) => {
      const forwardedFor = isProxy ? headers["x-forwarded-for"] : undefined;
      return forwardedFor === undefined ? own : countedAs(readClient(peer!, String(forwardedFor), isKnownProxy));
    });
    ledger.open(socket, own);
  });
  // Its connection would count as in use for good. A request whose answer is still being made has nothing to be taken.
  http.setTimeout(options.longestStallMs ?? LONGEST_STALL_MS, (socket) => {
    if (ledger.isWaiting(socket) || socket.writableLength > 0) socket.destroy();
  });
  const close = async (graceMs: number): Promise<void> => {
    const closed = once(http, "close");
    http.close();
    ledger.drain();
    const impatience = setTimeout(() => ledger.destroyAll(), graceMs);
    await closed;
    clearTimeout(impatience);
  };
  let closing: Promise<void> | null = null;
  const { url, port } = await listen(http, options);
  return {
    url,
    port,
    http,
    serve(next, accepts) {
      listener = next;
      isWebSocket = accepts;
    },
    close: (graceMs = 0) => (closing ??= close(graceMs)),
  };
}

async function listen(http: Server, { host, port, setting }: PortOptions): Promise<{ url: string; port: number }> {
  http.listen(port, host);
  await once(http, "listening").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EADDRINUSE") throw cause;
    const sentence = `Port ${port} on ${host} is in use by another program; set ${setting} to another one.`;
    throw new ClipmillError("conflict", sentence, { cause });
  });
  const { port: taken } = http.address() as AddressInfo;
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`, port: taken };
}

/** A client that never hangs up would keep the connection half open. */
function closeAfterLastBytes(socket: Socket): void {
  socket.once("finish", () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
}

function refuse(response: ServerResponse): void {
  response.writeHead(429, { "content-type": "application/json", "retry-after": "10", connection: "close" });
  response.end(JSON.stringify({ error: "Too many open connections from this address." }));
}
