import { once } from "node:events";
import net, { type AddressInfo } from "node:net";

type State =
  | "open"
  | "cut"
  /** Keeps and accepts connections but drops all data. */
  | "silent";

/** A server's TCP keepalive timeout; until then it keeps a dead client's locks. */
const KEEPALIVE_MS = 30_000;

export type DatabaseLine = {
  url: string;
  set(state: State): void;
  close(): Promise<void>;
};

/**
 * Opens a proxy on a free local port that a test can cut, or make unresponsive or slow. Connections that were open
 * while "silent" never work again; the server keeps their locks for 30 s after the client closes them, as with TCP
 * keepalive. `roundTripMs` is added to each round trip.
 */
export async function openDatabaseLine(databaseUrl: string, roundTripMs = 0): Promise<DatabaseLine> {
  const target = new URL(databaseUrl);
  let state: State = "open";
  const sockets = new Set<net.Socket>();
  /** These lost data and therefore never work again. */
  const broken = new Set<net.Socket>();
  const server = net.createServer((near) => {
    if (state === "cut") return void near.destroy();
    const far = net.connect(Number(target.port), target.hostname);
    if (state === "silent") broken.add(near);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (part) => {
        if (roundTripMs > 0) setTimeout(() => to.write(part), roundTripMs / 2);
        else if (!broken.has(near)) to.write(part);
      });
      // A silent connection does not forward a close either.
      from.on("close", () => {
        sockets.delete(from);
        if (!broken.has(near)) to.destroy();
      });
      from.on("error", () => {});
    }
    clientsOf.add(near);
    near.once("close", () => {
      clientsOf.delete(near);
      if (broken.has(near)) setTimeout(() => far.destroy(), KEEPALIVE_MS).unref();
    });
    return undefined;
  });
  const clientsOf = new Set<net.Socket>();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const destroyAll = (): void => sockets.forEach((socket) => socket.destroy());
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    set(next) {
      state = next;
      if (state === "cut") destroyAll();
      if (state === "silent") for (const client of clientsOf) broken.add(client);
    },
    async close() {
      destroyAll();
      server.close();
      await once(server, "close");
    },
  };
}
