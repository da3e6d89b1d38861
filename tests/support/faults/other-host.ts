/** Simulates a second host: a network namespace with a pair of virtual interfaces. Needs root on Linux. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";

export type OtherHost = {
  /** Precedes a command, to run it on the other host. */
  prefix: readonly string[];
  /** Returns the URL on the other host, the only one that can use it. */
  expose(url: string): Promise<string>;
  /** The host's processes must have ended. */
  close(): Promise<void>;
};

export function canCreateHosts(): boolean {
  const name = `cm-try-${process.pid}`;
  try {
    ip("netns", "add", name);
    ip("netns", "delete", name);
    return true;
  } catch {
    return false;
  }
}

function removeLeftovers(): void {
  for (const line of ip("netns", "list").split("\n")) {
    const [, name, pid] = /^(cm-(\d+))\b/.exec(line) ?? [];
    if (name && !existsSync(`/proc/${pid}`)) ip("netns", "delete", name);
  }
}

/** The host can reach only exposed ports. */
export async function openOtherHost(): Promise<OtherHost> {
  const name = `cm-${process.pid}`;
  // 198.18.0.0/15 is reserved for such tests. The process id makes it unique.
  const net16 = `198.18.${process.pid % 256}`;
  const [here, there] = [`${net16}.1`, `${net16}.2`];
  const [nearEnd, farEnd] = [`cmn${process.pid}`, `cmf${process.pid}`];
  const lines: net.Server[] = [];
  const sockets = new Set<net.Socket>();
  const remove = (): void => {
    // Also removes the interfaces.
    ip("netns", "delete", name);
  };
  removeLeftovers();
  ip("netns", "add", name);
  try {
    ip("link", "add", nearEnd, "type", "veth", "peer", "name", farEnd, "netns", name);
    ip("address", "add", `${here}/30`, "dev", nearEnd);
    ip("link", "set", nearEnd, "up");
    ip("-n", name, "address", "add", `${there}/30`, "dev", farEnd);
    ip("-n", name, "link", "set", farEnd, "up");
    ip("-n", name, "link", "set", "lo", "up");
  } catch (error) {
    remove();
    throw error;
  }
  return {
    prefix: ["ip", "netns", "exec", name],
    async expose(url) {
      const { hostname, port } = new URL(url);
      const line = net.createServer((near) => {
        relay(near, net.connect(Number(port), hostname), sockets);
      });
      line.listen(0, here);
      await once(line, "listening");
      lines.push(line);
      return url.replace(`${hostname}:${port}`, `${here}:${(line.address() as AddressInfo).port}`);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      for (const line of lines) {
        line.close();
        await once(line, "close");
      }
      remove();
    },
  };
}

function ip(...args: string[]): string {
  return execFileSync("ip", args, { stdio: "pipe", timeout: 10_000, encoding: "utf8" });
}

/** Until one of them closes. Keeps both in `open` meanwhile. */
export function relay(near: net.Socket, far: net.Socket, open: Set<net.Socket>): void {
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      open.delete(socket);
      other.destroy();
    });
  }
  near.pipe(far).pipe(near);
}
