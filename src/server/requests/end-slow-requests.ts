import type { IncomingMessage, Server, ServerResponse } from "node:http";

/**
 * Cuts off who takes longer than `mostMs` to send a request: strangers could otherwise hold a connection each for as long as
 * the longest upload may take. On paths that begin with `slowPath` the time runs only once the request was answered, as it is
 * at once when the sender is not signed in.
 */
export function endSlowRequests(http: Server, slowPath: string, mostMs: number): void {
  http.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete) return;
    const cutOffLater = (): void => {
      const timer = setTimeout(() => {
        // What is being answered may take as long as it likes.
        if (!request.complete) request.socket.destroy();
      }, mostMs);
      request.once("close", () => clearTimeout(timer));
    };
    if (request.url?.startsWith(slowPath)) response.once("finish", cutOffLater);
    else cutOffLater();
  });
}
