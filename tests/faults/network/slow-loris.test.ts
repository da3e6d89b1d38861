import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect } from "vitest";
import { isFullRun, testFault } from "#tests/support/faults/fault-rounds.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

const EACH = 200;
/** The full run has the limits of production. */
const SHORT_MS = 3_000;
const MAX_ROUND_MS = isFullRun ? 90_000 : 10 * SHORT_MS;
const DRIBBLE_MS = 200;
/** The start of each kind of request; single bytes follow. */
const BEGINNINGS = [
  // Stops within the headers.
  "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
  // Stops within the body.
  "POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{",
  // Signed-in users have more time for uploads.
  "POST /uploads?name=x.mp4 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{",
];

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(undefined, isFullRun ? {} : { maxRequestMs: SHORT_MS });
});
afterAll(() => server.close());

testFault(
  {
    id: "slow-loris",
    fault: `slow loris: ${EACH * BEGINNINGS.length} requests that send a byte now and then`,
    expected: "other clients are served meanwhile, and the slow requests are closed",
    rounds: { short: 1, full: 5 },
    secondsPerRound: 120,
  },
  serveOthers,
);

async function serveOthers(): Promise<Record<string, number>> {
  const startedMs = performance.now();
  const slow = BEGINNINGS.flatMap((beginning) => Array.from({ length: EACH }, () => dribble(beginning)));
  await Promise.all(slow.map((one) => one.isConnected));
  const allClosedMs = Promise.all(slow.map((one) => one.isClosed)).then(() => performance.now());
  let maxDurationMs = 0;
  let count = 0;
  while (slow.some((one) => !one.socket.closed)) {
    const askedMs = performance.now();
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    const { error } = await server.newClient().auth.signInWithPassword(TEST_ACCOUNT);
    expect(error).toBeNull();
    maxDurationMs = Math.max(maxDurationMs, performance.now() - askedMs);
    count += 1;
    if (askedMs - startedMs > MAX_ROUND_MS) throw new Error("The slow requests are not ended.");
  }
  expect(count).toBeGreaterThan(1);
  return {
    "ms for another client's sign-in": maxDurationMs,
    "s until all are closed": ((await allClosedMs) - startedMs) / 1_000,
  };
}

function dribble(beginning: string): { socket: Socket; isConnected: Promise<unknown>; isClosed: Promise<unknown> } {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  // The server closes the socket during a write.
  socket.on("error", () => {});
  socket.resume();
  const isConnected = once(socket, "connect");
  const isClosed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(beginning);
  const writing = setInterval(() => socket.write("x"), DRIBBLE_MS);
  socket.once("close", () => clearInterval(writing));
  return { socket, isConnected, isClosed };
}
