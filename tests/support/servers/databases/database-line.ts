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
  /** Cuts the line after so many packets of clients, until one could not connect again. Resolves when it is open again. */
  restartAfter(packets: number): Promise<void>;
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
  let packetsLeft = Infinity;
  let onRejected: (() => void) | null = null;
  const sockets = new Set<net.Socket>();
  /** These lost data and therefore never work again. */
  const broken = new Set<net.Socket>();
  const server = net.createServer((near) => {
    if (state === "cut") {
      near.destroy();
      onRejected?.();
      return;
    }
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
    near.on("data", () => {
      packetsLeft -= 1;
      if (packetsLeft === 0) set("cut");
    });
    clientsOf.add(near);
    near.once("close", () => {
      clientsOf.delete(near);
      if (broken.has(near)) setTimeout(() => far.destroy(), KEEPALIVE_MS).unref();
    });
  });
  const clientsOf = new Set<net.Socket>();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const destroyAll = (): void => sockets.forEach((socket) => socket.destroy());
  const set = (next: State): void => {
    state = next;
    if (state === "cut") destroyAll();
    if (state === "silent") for (const client of clientsOf) broken.add(client);
  };
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    set,
    async restartAfter(packets) {
      const { promise: rejected, resolve } = Promise.withResolvers<void>();
      onRejected = resolve;
      packetsLeft = packets;
      if (packets === 0) set("cut");
      await rejected;
      set("open");
    },
    async close() {
      destroyAll();
      server.close();
      await once(server, "close");
    },
  };
}
