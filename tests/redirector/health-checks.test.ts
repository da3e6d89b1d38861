import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Agent } from "undici";
import type { RedirectorReport } from "#contract/cloak/published-config.ts";
import { requestReport } from "#integrations/redirector.ts";
import type { Redirector } from "#redirector/start-redirector.ts";
import { documentOf, publish, routeOf, startTestRedirector, TOKEN, visit } from "#tests/support/twins/redirector.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

/** Ports distinguish the hosts. */
type Primary = { url: string; status: number; requests: number; running: number; maxRunning: number; server: Server };

const folder = await makeScratchFolder();
const primaries: Primary[] = [];
let redirector: Redirector;
let version = 0;

beforeAll(async () => {
  for (let i = 0; i < 3; i += 1) primaries.push(await startPrimary());
  redirector = await startTestRedirector(folder, {
    // Without the guard that rejects internal addresses, and with short intervals.
    health: { dispatcher: new Agent(), pace: { calmMs: 40, doubtfulMs: 20, tickMs: 10 } },
  });
});
afterAll(async () => {
  await redirector.close();
  for (const { server } of primaries) server.close().closeAllConnections();
});

async function startPrimary(): Promise<Primary> {
  const primary = { url: "", status: 200, requests: 0, running: 0, maxRunning: 0 } as Primary;
  primary.server = createServer((_request, response) => {
    primary.requests += 1;
    primary.running += 1;
    primary.maxRunning = Math.max(primary.maxRunning, primary.running);
    setTimeout(() => {
      primary.running -= 1;
      response.writeHead(primary.status, { location: "http://127.0.0.1:1/" }).end("a page");
    }, 5);
  }).listen(0, "127.0.0.1");
  await once(primary.server, "listening");
  primary.url = `http://127.0.0.1:${(primary.server.address() as AddressInfo).port}`;
  return primary;
}

const FALLBACK = "https://fallback.test/";
const where = async (slug: string) => (await visit(redirector, "shop.test", `/${slug}`)).location;
const report = (): Promise<RedirectorReport> =>
  requestReport({ url: redirector.publishUrl, token: TOKEN }, "2026-01-01");
const stateOf = async (number: number) => {
  const { health } = await report();
  return health.find(({ routeId }) => routeId === routeOf(number).id);
};

describe("a route with a fallback", () => {
  beforeEach(async () => {
    for (const primary of primaries) primary.status = 200;
    const routes = primaries.flatMap(({ url }, i) => [
      routeOf(i, { slug: `p${i}`, primary: `${url}/page`, fallback: FALLBACK }),
      routeOf(10 + i, { slug: `other${i}`, primary: `${url}/other`, fallback: FALLBACK }),
    ]);
    routes.push(routeOf(20, { slug: "alone", primary: `${primaries[0]!.url}/alone` }));
    await publish(redirector, documentOf((version += 1), routes));
    await vi.waitUntil(async () => (await report()).health.every(({ state }) => state === "up"), { timeout: 15_000 });
  });

  it("uses the fallback while its primary is down, and the primary once it is up", async () => {
    const [first, second] = primaries as [Primary, Primary];
    expect(await where("p0")).toBe(`${first.url}/page`);
    first.status = 503;
    await expect.poll(() => where("p0")).toBe(FALLBACK);
    expect(await stateOf(0)).toMatchObject({
      state: "down",
      reason: "It returned 503.",
      checkedAt: expect.any(String),
    });
    expect(await where("p1")).toBe(`${second.url}/page`);
    // Without a fallback, visitors keep going to the primary.
    expect(await where("alone")).toBe(`${first.url}/alone`);
    first.status = 302;
    await expect.poll(() => where("p0")).toBe(`${first.url}/page`);
    expect(await stateOf(0)).toMatchObject({ state: "up", reason: null });
  });

  it("stays down after a publish that keeps its primary", async () => {
    const [first] = primaries as [Primary];
    first.status = 404;
    await expect.poll(() => where("p0")).toBe(FALLBACK);
    const kept = routeOf(0, { slug: "p0", primary: `${first.url}/page`, fallback: "https://new-fallback.test/" });
    await publish(redirector, documentOf((version += 1), [kept]));
    expect(await where("p0")).toBe("https://new-fallback.test/");
  });

  it("keeps its primary while all hosts fail at the same time", async () => {
    const before = primaries.map(({ requests }) => requests);
    for (const primary of primaries) primary.status = 500;
    // Enough checks for every host to count as down on its own.
    await expect.poll(() => primaries.every(({ requests }, i) => requests > before[i]! + 20)).toBe(true);
    expect(await where("p0")).toBe(`${primaries[0]!.url}/page`);
    expect((await report()).health.map(({ state }) => state)).toEqual(Array(6).fill("up"));
  });

  it("is checked with one request per host at a time; routes without a fallback are not checked", async () => {
    expect(primaries.map(({ maxRunning }) => maxRunning)).toEqual([1, 1, 1]);
    const [first, second] = primaries as [Primary, Primary];
    const alone = routeOf(20, { slug: "alone", primary: `${first.url}/` });
    const checked = routeOf(1, { slug: "p1", primary: `${second.url}/page`, fallback: FALLBACK });
    await publish(redirector, documentOf((version += 1), [alone, checked]));
    expect((await report()).health.map(({ routeId }) => routeId)).toEqual([checked.id]);
    // After the next checks of the other host, none of the first host is still in flight.
    const askAgain = (times: number) => {
      const wanted = second.requests + times;
      return vi.waitUntil(() => second.requests >= wanted, { timeout: 15_000 });
    };
    await askAgain(3);
    const { requests } = first;
    await askAgain(5);
    expect(first.requests).toBe(requests);
  });
});

it("never checks an address of this machine or its network", async () => {
  const [first] = primaries as [Primary];
  const guarded = await startTestRedirector(`${folder}/guarded`, {
    health: { pace: { calmMs: 20, doubtfulMs: 20, tickMs: 5 } },
  });
  try {
    const { port } = new URL(first.url);
    const internal = [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      "http://10.0.0.1/",
    ];
    const routes = internal.map((primary, i) => routeOf(i, { slug: `i${i}`, primary, fallback: FALLBACK }));
    const { requests } = first;
    await publish(guarded, documentOf(1, routes));
    const ask = () => requestReport({ url: guarded.publishUrl, token: TOKEN }, "2026-01-01");
    await expect
      .poll(async () => (await ask()).health.map(({ state, reason }) => `${state}: ${reason}`))
      .toEqual(Array(4).fill("unknown: Internal addresses are not checked."));
    expect(first.requests).toBe(requests);
    expect((await visit(guarded, "shop.test", "/i0")).location).toBe(internal[0]);
  } finally {
    await guarded.close();
  }
});
