import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Slower than any usable connection. */
const MIN_BYTES = 1_000;

export type SlowRequestLimits = {
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
