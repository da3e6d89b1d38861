import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Redirector = { port: number; close: () => Promise<void> };

/** Starts the public program. Nothing can be published yet, so every address answers 404. */
export async function startRedirector(options: { host: string; port: number }): Promise<Redirector> {
  const server = createServer((_request, response) => {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
    response.end("There is nothing at this address.\n");
  });
  server.listen(options.port, options.host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
