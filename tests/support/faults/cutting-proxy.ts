import { once } from "node:events";
import net, { type AddressInfo } from "node:net";

type Cut =
  | "no"
  | "request"
  /** Delivers the publish but cuts its response. */
  | "response"
  /** Like "response", then rejects all connections. */
  | "for good";

export type CuttingProxy = { port: number; cut: Cut; close(): Promise<void> };

/**
 * Starts a proxy on a free local port that can cut a publish in flight to the redirector on local port `port`.
 * `close()` waits until all connections have ended.
 */
export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  const proxy = { cut: "no" } as CuttingProxy;
  let isDown = false;
  const clients = new Set<net.Socket>();
  const server = net.createServer((client) => {
    if (isDown) return void client.destroy();
    clients.add(client);
    const target = net.connect(port, "127.0.0.1");
    let isPublish = false;
    const end = (): void => void [client, target].map((socket) => socket.destroy());
    client.on("data", (part) => {
      if (part.includes("POST /_clipmill/publish")) isPublish = true;
      if (isPublish && proxy.cut === "request") target.write(part.subarray(0, part.length / 2), end);
      else target.write(part);
    });
    target.on("data", (part) => {
      if (isPublish && (proxy.cut === "response" || proxy.cut === "for good")) {
        isDown = proxy.cut === "for good";
        end();
        if (isDown) for (const other of clients) other.destroy();
      } else client.write(part);
    });
    for (const socket of [client, target]) socket.on("error", end).on("close", end);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(proxy, {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      await once(server, "close");
    },
  });
}
