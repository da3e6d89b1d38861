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
import {
  type ConnectionLimits,
  connectionLimits,
  createConnectionLedger,
  createProxyCheck,
  parseAddress,
  rateLimitKey,
  readClient,
} from "./connection-ledger.ts";
import { takeTurns } from "./take-turns.ts";

const MAX_HEAD_MS = 20_000;
const MAX_REQUEST_MS = 300_000;
/** Without 1,000 bytes of a request's body. */
const MAX_BODY_STALL_MS = 30_000;
/**
 * Longer than proxies keep idle connections and pages wait between requests: a request sent while the server closes its
 * connection may fail.
 */
const KEEP_ALIVE_MS = 150_000;
/** For a client that stops reading its response. */
const MAX_STALL_MS = 120_000;
/** For a closed WebSocket's last bytes, if its client does not disconnect. */
const LINGER_MS = 2_000;
/**
 * Node's default of 511 overflows in a flood, and clients retry a dropped SYN only after a second. Linux caps it at
 * somaxconn.
 */
const BACKLOG = 4_096;

export type PortOptions = {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Named in the error if the port is in use. */
  setting: string;
  trustedProxies?: readonly string[] | undefined;
  maxRequestMs?: number | undefined;
  /** Requests below `path` have more time. */
  uploads?: { path: string; maxMs: number };
  maxHeadMs?: number;
  maxStallMs?: number;
  limits?: ConnectionLimits;
  http?: Pick<ServerOptions, "keepAliveTimeout" | "requireHostHeader" | "optimizeEmptyRequests">;
};

export type Port = {
  url: string;
  port: number;
  http: Server;
  /** Handles requests with `listener`, and upgrades those that `isWebSocket` accepts. */
  serve(listener: RequestListener, isWebSocket?: (request: IncomingMessage) => boolean): void;
  /** Requests in progress get `graceMs`; other connections are destroyed. */
  close(graceMs?: number): Promise<void>;
};

/**
 * Opens a port that untrusted clients cannot exhaust: limits connections per client and port, and evicts idle ones. A
 * known proxy names the client. Throws ClipmillError "conflict" if the port is in use.
 */
export async function openPort(options: PortOptions, first: RequestListener): Promise<Port> {
  const { maxRequestMs = MAX_REQUEST_MS } = options;
  const headersTimeout = Math.min(options.maxHeadMs ?? MAX_HEAD_MS, maxRequestMs);
  const isKnownProxy = createProxyCheck(options.trustedProxies ?? []);
  const ledger = createConnectionLedger(options.limits ?? connectionLimits());
  const clients = new WeakMap<Socket, (request: IncomingMessage) => string>();
  let listener = first;
  let isWebSocket: ((request: IncomingMessage) => boolean) | undefined;

  const take = takeTurns();
  const clientOf = (request: IncomingMessage): string => clients.get(request.socket)!(request);
  const http = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      ...options.http,
      requestTimeout: options.uploads?.maxMs ?? maxRequestMs,
      headersTimeout,
      connectionsCheckingInterval: headersTimeout / 4,
      // Everything else is plain HTTP: Node never closes an unhandled upgrade, and one behind a request in flight
      // would receive that request's response.
      shouldUpgradeCallback(request) {
        if (!isWebSocket?.(request) || !ledger.isWaiting(request.socket)) return false;
        if (!ledger.begin(request.socket, clientOf(request))) return false;
        closeAfterLastBytes(request.socket);
        return true;
      },
    },
    (request, response) => {
      const client = clientOf(request);
      if (!ledger.begin(request.socket, client)) return sendTooMany(response);
      // After an unhandled upgrade, Node drops the rest of the packet.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      response.once("close", () => ledger.end(request.socket));
      take(client, () => listener(request, response));
    },
  );
  endSlowRequests(http, { maxMs: maxRequestMs, stallMs: MAX_BODY_STALL_MS, slowPath: options.uploads?.path });
  http.on("connection", (socket) => {
    const peer = parseAddress(socket.remoteAddress);
    const own = rateLimitKey(peer);
    const isProxy = peer !== null && isKnownProxy(peer);
    clients.set(socket, ({ headers }) => {
      const forwardedFor = isProxy ? headers["x-forwarded-for"] : undefined;
      return forwardedFor === undefined ? own : rateLimitKey(readClient(peer!, String(forwardedFor), isKnownProxy));
    });
    ledger.open(socket, own);
  });
  // A stalled connection would count as in use forever. A response in preparation is not a stall.
  http.setTimeout(options.maxStallMs ?? MAX_STALL_MS, (socket) => {
    if (ledger.isWaiting(socket) || socket.writableLength > 0) socket.destroy();
  });
  const close = async (graceMs: number): Promise<void> => {
    const closed = once(http, "close");
    http.close();
    ledger.drain();
    const deadline = setTimeout(() => ledger.destroyAll(), graceMs);
    await closed;
    clearTimeout(deadline);
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
  http.listen({ port, host, backlog: BACKLOG });
  await once(http, "listening").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EADDRINUSE") throw cause;
    const sentence = `Port ${port} on ${host} is in use by another program; set ${setting} to another one.`;
    throw new ClipmillError("conflict", sentence, { cause });
  });
  const { port: taken } = http.address() as AddressInfo;
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`, port: taken };
}

/** A client that never disconnects would keep the socket half open. */
function closeAfterLastBytes(socket: Socket): void {
  socket.once("finish", () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
}

function sendTooMany(response: ServerResponse): void {
  response.writeHead(429, { "content-type": "application/json", "retry-after": "10", connection: "close" });
  response.end(JSON.stringify({ error: "Too many open connections from this address." }));
}

/** Slower than any usable connection. */
const MIN_BYTES = 1_000;

type SlowRequestLimits = {
  /** For the whole request. */
  maxMs: number;
  /** For every 1,000 bytes. */
  stallMs: number;
  /** Requests below this path are limited only after their response, immediate for unauthenticated senders. */
  slowPath?: string | undefined;
};

/** Disconnects clients that send a request too slowly, which could hold connections as long as the longest upload. */
export function endSlowRequests(http: Server, { maxMs, stallMs, slowPath }: SlowRequestLimits): void {
  const checkMs = Math.min(stallMs, maxMs);
  const watch = (request: IncomingMessage): void => {
    const { socket } = request;
    let checksLeft = Math.ceil(maxMs / checkMs);
    let { bytesRead } = socket;
    const timer = setInterval(() => {
      if (request.complete) return;
      // While bytes wait to be read, the server is slow, not the client.
      const isStalled = socket.bytesRead - bytesRead < MIN_BYTES && request.readableLength === 0;
      ({ bytesRead } = socket);
      checksLeft -= 1;
      if (isStalled || checksLeft === 0) socket.destroy();
    }, checkMs);
    request.once("close", () => clearInterval(timer));
  };
  http.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete) return;
    if (slowPath !== undefined && request.url?.startsWith(slowPath)) response.once("finish", () => watch(request));
    else watch(request);
  });
}
