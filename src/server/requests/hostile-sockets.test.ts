import { once } from "node:events";
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import {
  openRaw,
  type RawSocket,
  waitUntilClosed,
  upgradeHead,
  WEBSOCKET_HEADERS,
} from "#tests/support/network/raw-sockets.ts";

const LIVE = "/realtime/v1/websocket?apikey=any&vsn=2.0.0";
const MAX_UNJOINED_MS = 300;

let server: TestServer;
const held: Socket[] = [];

beforeAll(async () => {
  server = await startTestServer(undefined, { maxUnjoinedMs: MAX_UNJOINED_MS });
});
afterAll(async () => {
  for (const socket of held) socket.destroy();
  await server.close();
});

function send(text: string, url = server.url): RawSocket {
  const raw = openRaw(Number(new URL(url).port), text);
  held.push(raw.socket);
  return raw;
}

const responseOf = async (text: string): Promise<string> => {
  const { received } = send(text);
  await expect.poll(received).toMatch(/^HTTP\/1.1 \d{3} [^]*\r\n\r\n/);
  return received();
};

it.each(["/health", "/auth/v1/token", "/realtime/v1/websocket", "/"])(
  "responds to Upgrade: h2c at %s as plain HTTP, with the security headers",
  async (path) => {
    const response = await responseOf(upgradeHead(path, "h2c"));
    expect(response).toMatch(/^HTTP\/1.1 (200|400|404) /);
    expect(response).toMatch(/x-content-type-options: nosniff/i);
    expect(response).not.toMatch(/^upgrade:/im);
  },
);

it.each([
  ["at another address", upgradeHead("/health", "websocket", WEBSOCKET_HEADERS), 200],
  [
    "at an address that only means the same",
    upgradeHead("/realtime/v1/%77ebsocket", "websocket", WEBSOCKET_HEADERS),
    400,
  ],
  ["without its key", upgradeHead(LIVE, "websocket"), 400],
  ["with a body", upgradeHead(LIVE, "websocket", `${WEBSOCKET_HEADERS}Content-Length: 5\r\n`), 400],
  ["by POST", upgradeHead(LIVE, "websocket", WEBSOCKET_HEADERS).replace("GET", "POST"), 400],
])("responds to a WebSocket %s as plain HTTP", async (_, head, status) => {
  expect(await responseOf(head)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

it("closes an HTTP/2 connection", async () => {
  const raw = send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  await waitUntilClosed(raw);
  expect(raw.received()).not.toContain("200");
});

it("closes after an unhandled upgrade, whatever follows in the same packet", async () => {
  const raw = send(`${upgradeHead("/health", "h2c")}${upgradeHead("/ready", "h2c")}`);
  await waitUntilClosed(raw);
  expect(raw.received()).toMatch(/^HTTP\/1.1 200 /);
});

it("closes a live connection that joins no channel, even if it tries to", async () => {
  const silent = new WebSocket(`${server.url.replace("http", "ws")}${LIVE}`);
  const rejected = new WebSocket(`${server.url.replace("http", "ws")}${LIVE}`);
  await Promise.all([silent, rejected].map((socket) => once(socket, "open")));
  const join = { postgres_changes: [{ event: "*", schema: "public", table: "jobs" }] };
  rejected.send(JSON.stringify(["1", "1", "realtime:x", "phx_join", { config: join, access_token: "no token" }]));
  const [first, second] = await Promise.all([silent, rejected].map((socket) => once(socket, "close")));
  // Terminated without a close frame.
  expect([first?.[0], second?.[0]]).toEqual([1006, 1006]);
});

it("keeps a live connection that has joined a channel", async () => {
  const channel = server.client.channel("joined");
  const states: string[] = [];
  channel.on("postgres_changes", { event: "*", schema: "public", table: "jobs" }, () => {});
  channel.subscribe((state) => states.push(state));
  await expect.poll(() => states).toEqual(["SUBSCRIBED"]);
  // Waits until a later socket without a channel has been closed.
  const later = new WebSocket(`${server.url.replace("http", "ws")}${LIVE}`);
  await once(later, "close");
  expect(states).toEqual(["SUBSCRIBED"]);
});

it("stops with sockets of every kind open", async () => {
  const other = await startTestServer();
  const live = upgradeHead(LIVE, "websocket", WEBSOCKET_HEADERS);
  const sockets = ["", "GET /health HTTP/1.1\r\nX-Slow: ", upgradeHead("/health", "h2c"), live, `${live}unread`];
  const opened = sockets.map((text) => send(text, other.url));
  for (const { received } of opened.slice(2)) await expect.poll(received).not.toBe("");
  await other.close();
  await Promise.all(opened.map(waitUntilClosed));
});
