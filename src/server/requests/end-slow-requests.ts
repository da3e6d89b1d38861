import type { IncomingMessage, Server, ServerResponse } from "node:http";

/**
 * Disconnects clients that take longer than `maxMs` to send a request, which could hold connections as long as the
 * longest upload. Below `slowPath`, the time starts after the response, immediate for unauthenticated senders.
 */
export function endSlowRequests(http: Server, slowPath: string, maxMs: number): void {
  http.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete) return;
    const startTimer = (): void => {
      const timer = setTimeout(() => {
        if (!request.complete) request.socket.destroy();
      }, maxMs);
      request.once("close", () => clearTimeout(timer));
    };
    if (request.url?.startsWith(slowPath)) response.once("finish", startTimer);
    else startTimer();
  });
}
