import type { IncomingMessage } from "node:http";
import type { ServerType } from "@hono/node-server";

/**
 * Cuts off who takes longer than `mostMs` to send a request, on all paths but those that begin with `slowPath`: strangers
 * could otherwise hold a connection each for as long as the longest upload may take.
 */
export function endSlowRequests(http: ServerType, slowPath: string, mostMs: number): void {
  http.prependListener("request", (request: IncomingMessage) => {
    if (request.complete || request.url?.startsWith(slowPath)) return;
    const timer = setTimeout(() => {
      // What is being answered may take as long as it likes.
      if (!request.complete) request.socket.destroy();
    }, mostMs);
    request.once("close", () => clearTimeout(timer));
  });
}
