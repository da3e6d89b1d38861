import type { IncomingMessage, RequestListener } from "node:http";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { openRaw, type RawSocket, waitUntilClosed, upgradeHead } from "#tests/support/network/raw-sockets.ts";
import { openPort, type Port, type PortOptions } from "./open-port.ts";

const PLAIN = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const SLOW_HEAD = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
/** Responds only after `release` is called. */
const LATE = "GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n";

let port: Port;
let release: () => void;
let sockets: RawSocket[] = [];

afterEach(async () => {
  release();
  for (const { socket } of sockets) socket.destroy();
  sockets = [];
  await port.close();
});

async function start(limits = { maxPerClient: 100, maxOpen: 100 }, more: Partial<PortOptions> = {}): Promise<void> {
  const late = Promise.withResolvers<void>();
  release = late.resolve;
  const listener: RequestListener = (request, response) => {
    if (request.url === "/late") void late.promise.then(() => response.end("late"));
    else response.end("plain");
  };
  port = await openPort({ host: "127.0.0.1", port: 0, setting: "PORT", limits, ...more }, listener);
}

function open(text: string, localAddress?: string): RawSocket {
  const opened = openRaw(port.port, text, localAddress);
  sockets.push(opened);
  return opened;
}

function forwardedFor(client: string, path = "/"): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n\r\n`;
}

function postOf(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n${body}`;
}

const isOpen = ({ socket }: RawSocket): boolean => !socket.closed;
const openConnections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    port.http.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

it.each(["h2c", "websocket", "TLS/1.0"])("responds to an unsupported upgrade to %s as plain HTTP", async (name) => {
  await start();
  port.http.on("upgrade", (_request, socket) => socket.end("upgraded"));
  const { received } = open(upgradeHead("/", name));
  await expect.poll(received).toMatch(/^HTTP\/1.1 200 OK[^]*plain$/);
});

it("upgrades accepted requests, but not behind a request in flight", async () => {
  await start();
  const plain: (string | undefined)[] = [];
  port.serve(
    ({ url }) => plain.push(url),
    ({ url }) => url === "/live",
  );
  port.http.on("upgrade", (_request, socket) => socket.end("upgraded"));
  const live = open(upgradeHead("/live", "websocket"));
  await expect.poll(live.received).toBe("upgraded");
  const pipelined = open(LATE + upgradeHead("/live", "websocket"));
  await expect.poll(() => plain).toEqual(["/late", "/live"]);
  expect(pipelined.received()).toBe("");
});

it("closes an upgraded connection whose client never disconnects", async () => {
  await start();
  port.serve(
    (_request, response) => response.end(),
    () => true,
  );
  port.http.on("upgrade", (_request, socket) => socket.end("rejected"));
  // Unread bytes keep Node from noticing the end of a connection.
  const rejected = open(`${upgradeHead("/live", "websocket")}unread`);
  rejected.socket.allowHalfOpen = true;
  await expect.poll(rejected.received).toBe("rejected");
  await expect.poll(openConnections).toBe(0);
});

it("limits connections per client: at the limit, evicts the one that has waited longest", async () => {
  await start({ maxPerClient: 3, maxOpen: 100 });
  const late = open(LATE);
  const idle = open("");
  const slow = open(SLOW_HEAD);
  await expect.poll(openConnections).toBe(3);
  const other = open("", "127.0.0.2");
  const newest = open(PLAIN);
  await expect.poll(newest.received).toContain("plain");
  expect([late, idle, slow, other, newest].map(isOpen)).toEqual([true, false, true, true, true]);
  release();
  await expect.poll(late.received).toContain("late");
});

it("rejects a new connection while all of the client's connections are in use", async () => {
  await start({ maxPerClient: 2, maxOpen: 100 });
  const [first, second] = [open(LATE), open(LATE)];
  await expect.poll(openConnections).toBe(2);
  // Until both requests are read, their connections could be evicted.
  await expect
    .poll(() =>
      fetch(port.url).then(
        () => "responded",
        () => "rejected",
      ),
    )
    .toBe("rejected");
  await waitUntilClosed(open(PLAIN));
  const stranger = open(PLAIN, "127.0.0.2");
  await expect.poll(stranger.received).toContain("plain");
  expect([first, second].map(isOpen)).toEqual([true, true]);
});

it("evicts an idle connection of any client on a full port", async () => {
  await start({ maxPerClient: 10, maxOpen: 4 });
  const held = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"].map((address) => open(SLOW_HEAD, address));
  await expect.poll(openConnections).toBe(4);
  const { received } = open(PLAIN);
  await expect.poll(received).toContain("plain");
  expect(held.filter(isOpen)).toHaveLength(3);
});

it("counts connections of a known proxy toward the clients that it names", async () => {
  await start({ maxPerClient: 2, maxOpen: 100 });
  const held = ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"].map((client) => forwardedFor(client, "/late"));
  for (const [index, head] of held.entries()) {
    open(head);
    await expect.poll(openConnections).toBe(index + 1);
  }
  const third = open(forwardedFor("192.0.2.1"));
  await expect.poll(third.received).toMatch(/^HTTP\/1.1 429 [^]*Too many open connections from this address/);
  await waitUntilClosed(third);
  const other = open(forwardedFor("192.0.2.3"));
  await expect.poll(other.received).toContain("plain");
});

it("closes connections that send no request headers in time", async () => {
  await start(undefined, { maxHeadMs: 200 });
  const [idle, slow] = [open(""), open(SLOW_HEAD)];
  await Promise.all([waitUntilClosed(idle), waitUntilClosed(slow)]);
  expect(slow.received()).toMatch(/^(HTTP\/1.1 408 [^]*)?$/);
});

it("closes connections that send less than 1,000 bytes of a body in 30 s, unless the server has not read them", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  await start();
  const bodies = new Map<string, IncomingMessage>();
  port.serve((request, response) => {
    bodies.set(request.url!, request);
    if (request.url !== "/unread") request.resume();
    request.once("end", () => response.end("whole"));
  });
  const [slow, steady] = [open(postOf("/slow", "{")), open(postOf("/steady", "{"))];
  const unread = open(postOf("/unread", "x".repeat(99_999)));
  await expect.poll(() => bodies.size).toBe(3);
  await expect.poll(() => bodies.get("/unread")!.readableLength).toBeGreaterThan(0);
  const sendTo = async ({ socket }: RawSocket, path: string, bytes: number) => {
    const incoming = bodies.get(path)!.socket;
    const expected = incoming.bytesRead + bytes;
    socket.write("x".repeat(bytes));
    await expect.poll(() => incoming.bytesRead).toBe(expected);
  };
  await sendTo(slow, "/slow", 999);
  await sendTo(steady, "/steady", 1_000);
  vi.advanceTimersByTime(30_000);
  await expect.poll(() => slow.socket.closed).toBe(true);
  await sendTo(steady, "/steady", 98_999);
  unread.socket.write("x");
  bodies.get("/unread")!.resume();
  await expect.poll(steady.received).toMatch(/whole$/);
  await expect.poll(unread.received).toMatch(/whole$/);
});

it("closes connections whose client stops reading, but not those whose response takes long to prepare", async () => {
  await start(undefined, { maxStallMs: 200 });
  const waiting: (() => void)[] = [];
  port.serve((request, response) => {
    if (request.url === "/late") waiting.push(() => response.end("late"));
    else response.end(Buffer.alloc(64 * 2 ** 20));
  });
  const [late, stalled] = [open(LATE), open(PLAIN)];
  stalled.socket.pause();
  await expect.poll(openConnections).toBe(2);
  await expect.poll(openConnections, { timeout: 5_000 }).toBe(1);
  for (const respond of waiting) respond();
  await expect.poll(late.received).toContain("late");
});

it("keeps connections longer than proxies do, and closes idle ones", async () => {
  await start();
  const kept = open(PLAIN);
  await expect.poll(kept.received).toMatch(/^Keep-Alive: timeout=150\r$/m);
  await port.close();
  await start(undefined, { http: { keepAliveTimeout: 100 } });
  const { received, socket } = open(PLAIN);
  await expect.poll(received).toContain("plain");
  await expect.poll(() => socket.closed, { timeout: 5_000 }).toBe(true);
});

it("closes with sockets open: finishes requests in progress and destroys the rest", async () => {
  await start();
  port.serve(
    (_request, response) => void setTimeout(() => response.end("late"), 50),
    ({ url }) => url === "/live",
  );
  // Leaves the upgraded connection unhandled.
  port.http.on("upgrade", () => {});
  const late = open(LATE);
  for (const text of ["", SLOW_HEAD, upgradeHead("/live", "websocket"), upgradeHead("/", "h2c")]) open(text);
  await expect.poll(openConnections).toBe(5);
  await port.close(1_000);
  await expect.poll(late.received).toMatch(/late$/);
});
