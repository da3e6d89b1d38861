import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ClipmillError } from "#contract/errors.ts";

export type Redirector = { port: number; close: () => Promise<void> };

/**
 * Starts the public program. Nothing can be published yet, so every address answers 404.
 * Throws ClipmillError "conflict" when the port is taken.
 */
export async function startRedirector(options: { host: string; port: number }): Promise<Redirector> {
  const server = createServer((_request, response) => {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
    response.end("There is nothing at this address.\n");
  });
  server.listen(options.port, options.host);
  await once(server, "listening").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EADDRINUSE") throw cause;
    const place = `Port ${options.port} on ${options.host}`;
    throw new ClipmillError("conflict", `${place} is in use by another program; set REDIRECTOR_PORT to another one.`, {
      cause,
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
