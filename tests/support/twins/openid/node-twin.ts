import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "../listen-on-loopback.ts";

type Fault = {
  /** A substring. */
  path: string;
  response: "cut" | "hang" | { status: number; body: string; type?: string };
};

export type NodeTwin = {
  url: string;
  /** Methods and paths. */
  calls: string[];
  /** In order; each applies to one request. */
  faults: Fault[];
  close(): Promise<void>;
};

/** For a library that handles Node's requests itself. */
export async function startNodeTwin(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<NodeTwin> {
  const calls: string[] = [];
  const faults: Fault[] = [];
  const server = http.createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://twin").pathname;
    calls.push(`${request.method} ${path}`);
    const at = faults.findIndex((fault) => path.includes(fault.path));
    const fault = at === -1 ? null : faults.splice(at, 1)[0]!.response;
    if (fault === "hang") return;
    if (fault === "cut") return void request.socket.destroy();
    if (fault)
      return void response.writeHead(fault.status, { "content-type": fault.type ?? "text/html" }).end(fault.body);
    void handle(request, response).catch(() => request.socket.destroy());
  });
  return { calls, faults, ...(await listenOnLoopback(server)) };
}
