import type { IncomingMessage, Server, ServerResponse } from "node:http";

/**
 * Disconnects clients that take longer than `mostMs` to send a request; otherwise strangers could hold connections for
 * as long as the longest upload. On paths that start with `slowPath`, the time starts only after the response, which is
 * immediate if the sender is not signed in.
 */
export function endSlowRequests(http: Server, slowPath: string, mostMs: number): void {
  http.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete) return;
    const startTimer = (): void => {
      const timer = setTimeout(() => {
        // A complete request may take any time to answer.
        if (!request.complete) request.socket.destroy();
      }, mostMs);
      request.once("close", () => clearTimeout(timer));
    };
    if (request.url?.startsWith(slowPath)) response.once("finish", startTimer);
    else startTimer();
  });
}
