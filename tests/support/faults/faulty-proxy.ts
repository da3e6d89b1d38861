/** A line to a server of HTTP on which single requests go wrong in the ways that networks and services have. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Transform } from "node:stream";

export type Fault =
  /** Nothing goes wrong. */
  | "none"
  /** 503, and the request never arrives. */
  | "unavailable"
  /** The connection breaks after the first bytes of what is sent. */
  | "drop"
  /** The request arrives a little at a time. */
  | "slow"
  /** The request arrives; its answer does not. */
  | "lose answer"
  /** The answer breaks off in its middle. */
  | "break answer"
  /** Nothing is ever answered, and the connection stays. */
  | "silence";

export type FaultyProxy = {
  url: string;
  /** Every request so far, as "PUT /path". */
  requests: string[];
  /** How many answers their reader did not take to the end. */
  leftEarly(): number;
  close(): Promise<void>;
};

const DRIP_MS = 50;

/** Passes a piece on each time some time has gone by. */
function dripping(): Transform {
  return new Transform({
    transform: (piece: Buffer, _, done) => void setTimeout(() => done(null, piece), DRIP_MS),
  });
}

/** Opens a line to the port; `faultOf` says for each request, as "PUT /path", what happens to it. */
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
    // The answer to it has come from here.
    const { expect: _, ...headers } = request.headers;
    const far = http.request({ host: "127.0.0.1", port, method: request.method, path: request.url, headers });
    far.on("response", (answer) => {
      if (fault === "lose answer") return void answer.resume().on("end", () => request.socket.destroy());
      response.writeHead(answer.statusCode!, answer.headers);
      if (fault === "none" || fault === "slow") return void answer.pipe(response);
      return void answer.once("data", (piece: Buffer) => {
        response.write(piece.subarray(0, piece.length / 2), () => request.socket.destroy());
        answer.destroy();
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
