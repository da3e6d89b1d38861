import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type LateProxy = { url: string; deliver(): Promise<void>; close(): Promise<void> };

/**
 * Starts a proxy for the redirector on local port `port`. It holds publishes until `deliver()`, which throws if the
 * redirector rejects one, and forwards other requests immediately, always as POST.
 */
export async function startLateProxy(port: number): Promise<LateProxy> {
  const held: (() => Promise<Response>)[] = [];
  const pass = async (request: IncomingMessage): Promise<() => Promise<Response>> => {
    const body = await buffer(request);
    const headers = Object.entries(request.headers).filter(([name]) => /^(webhook|clipmill)-/.test(name));
    const address = `http://127.0.0.1:${port}${request.url}`;
    return () => fetch(address, { method: "POST", body, headers: headers as [string, string][] });
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = await pass(request);
    if (request.url === "/_clipmill/publish") {
      held.push(send);
      response.destroy();
    } else response.end(await (await send()).text());
  };
  const server = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/_clipmill/publish`,
    async deliver() {
      for (const send of held.splice(0)) {
        const response = await send();
        if (!response.ok) throw new Error(`The redirector rejected it: ${await response.text()}`);
      }
    },
    async close() {
      server.close().closeAllConnections();
      await once(server, "close");
    },
  };
}
