import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Transform } from "node:stream";

export type Fault =
  | "none"
  | "unavailable"
  /** Drops the connection after the first bytes of the request. */
  | "drop"
  | "slow"
  /** Forwards the request but drops its response. */
  | "lose response"
  /** Sends half of the response, then drops the connection. */
  | "break response"
  | "silence";

export type FaultyProxy = {
  url: string;
  requests: string[];
  leftEarly(): number;
  close(): Promise<void>;
};

const DRIP_MS = 50;

function dripping(): Transform {
  return new Transform({
    transform: (piece: Buffer, _, done) => void setTimeout(() => done(null, piece), DRIP_MS),
  });
}

/** Starts an HTTP proxy that injects faults. `faultOf` returns the fault of a request, given as "PUT /path". */
export async function startFaultyProxy(port: number, faultOf: (request: string) => Fault): Promise<FaultyProxy> {
  const requests: string[] = [];
  let leftEarly = 0;
  const server = http.createServer((request, response) => {
    const name = `${request.method} ${request.url}`;
    requests.push(name);
    const fault = faultOf(name);
    if (fault === "silence") return;
    if (fault === "unavailable") return void response.writeHead(503).end();
    if (fault === "drop") return void request.once("data", () => request.socket.destroy());
    // This proxy has already sent 100 Continue.
    const { expect: _, ...headers } = request.headers;
    const far = http.request({ host: "127.0.0.1", port, method: request.method, path: request.url, headers });
    far.on("response", (received) => {
      if (fault === "lose response") return void received.resume().on("end", () => request.socket.destroy());
      response.writeHead(received.statusCode!, received.headers);
      if (fault === "none" || fault === "slow") return void received.pipe(response);
      return void received.once("data", (piece: Buffer) => {
        response.write(piece.subarray(0, piece.length / 2), () => request.socket.destroy());
        received.destroy();
      });
    });
    far.on("error", () => request.socket.destroy());
    request.on("error", () => far.destroy());
    response.on("close", () => {
      if (!response.writableFinished) leftEarly += 1;
      far.destroy();
    });
    if (fault === "slow") request.pipe(dripping()).pipe(far);
    else request.pipe(far);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    leftEarly: () => leftEarly,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
