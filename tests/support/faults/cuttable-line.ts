import { once } from "node:events";
import net, { type AddressInfo } from "node:net";

export type CuttableLine = {
  url: string;
  cut(): void;
  mend(): void;
  /** Closes open connections after this many more bytes to the server. New ones work. */
  cutOnceAfter(bytes: number): void;
  close(): Promise<void>;
};

/**
 * Opens a TCP proxy on a free local port to `target`, an http URL with a port. `cut()` closes open connections and
 * rejects new ones until `mend()`.
 */
export async function openCuttableLine(target: string): Promise<CuttableLine> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let isCut = false;
  let bytesLeft = Infinity;
  const line = net.createServer((near) => {
    if (isCut) return near.destroy();
    const far = net.connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      // Expected: a cut resets connections.
      socket.on("error", () => socket.destroy());
    }
    near.on("data", (part) => {
      bytesLeft -= part.length;
      if (bytesLeft > 0) return;
      bytesLeft = Infinity;
      destroyAll();
    });
    near.pipe(far).pipe(near);
    return undefined;
  });
  line.listen(0, "127.0.0.1");
  await once(line, "listening");
  const destroyAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      destroyAll();
    },
    mend() {
      isCut = false;
    },
    cutOnceAfter(bytes) {
      bytesLeft = bytes;
    },
    async close() {
      destroyAll();
      line.close();
      await once(line, "close");
    },
  };
}
