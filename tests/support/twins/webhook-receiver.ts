import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { EventBody } from "#contract/webhooks/webhooks.ts";

export type ReceivedEvent = {
  path: string;
  id: string;
  headers: Record<string, string>;
  body: string;
  event: EventBody;
};

export type WebhookReceiver = {
  url: string;
  /** For ALLOW_PRIVATE_WEBHOOKS. */
  authority: string;
  received: ReceivedEvent[];
  /** 204 by default. */
  respond(handle: (request: IncomingMessage, response: ServerResponse) => void): void;
  close(): Promise<void>;
};

function accept(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204).end();
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = [];
  let handleRequest = accept;
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    const event = JSON.parse(body) as EventBody;
    received.push({ path: request.url!, id: headers["webhook-id"]!, headers, body, event });
    handleRequest(request, response);
  };
  const server = http.createServer((request, response) => void receive(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    authority: `127.0.0.1:${port}`,
    received,
    respond: (handle) => (handleRequest = handle),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
