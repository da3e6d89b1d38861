import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "../listen-on-loopback.ts";

export type TwinCall = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
};

type TwinFault = {
  /** A substring. */
  path: string;
  method?: string;
  response: "cut" | "cutAfter" | "hang" | { status: number; body?: string; headers?: Record<string, string> };
};

export type TwinServer = {
  url: string;
  calls: Omit<TwinCall, "body">[];
  /** In order; each applies to one request. */
  faults: TwinFault[];
  close(): Promise<void>;
};

/** "cutAfter" performs the request but cuts its response. */
export async function startTwinServer(
  handle: (call: TwinCall, response: ServerResponse) => void | Promise<void>,
): Promise<TwinServer> {
  const calls: TwinServer["calls"] = [];
  const faults: TwinFault[] = [];
  const server = http.createServer((request, response) => {
    void receive(request, response).catch(() => request.socket.destroy());
  });
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://twin");
    const { method = "GET", headers } = request;
    const call = { method, path: url.pathname, query: url.searchParams, headers };
    calls.push(call);
    const at = faults.findIndex((one) => url.pathname.includes(one.path) && (one.method ?? method) === method);
    const fault = at === -1 ? null : faults.splice(at, 1)[0]!.response;
    if (fault === "cut") return void request.socket.destroy();
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (fault === "hang") return;
    if (fault !== null && fault !== "cutAfter") {
      return void response.writeHead(fault.status, fault.headers).end(fault.body ?? "");
    }
    if (fault === "cutAfter") response.end = (() => request.socket.destroy()) as never;
    await handle({ ...call, body: Buffer.concat(parts) }, response);
  }
  return { calls, faults, ...(await listenOnLoopback(server)) };
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

export function sendBytes(response: ServerResponse, bytes: Buffer, range: string | undefined, headers = {}): void {
  const found = /^bytes=(\d+)-(\d*)$/.exec(range ?? "");
  const start = Number(found?.[1] ?? 0);
  const end = Math.min(found?.[2] ? Number(found[2]) : bytes.length, bytes.length - 1);
  if (found && start >= bytes.length) {
    response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end();
    return;
  }
  response.writeHead(found ? 206 : 200, {
    "content-type": "application/octet-stream",
    "content-length": String(end - start + 1),
    "accept-ranges": "bytes",
    ...headers,
    ...(found && { "content-range": `bytes ${start}-${end}/${bytes.length}` }),
  });
  response.end(bytes.subarray(start, end + 1));
}
