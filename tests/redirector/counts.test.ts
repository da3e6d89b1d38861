import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { requestReport } from "#integrations/redirector.ts";
import type { Redirector } from "#redirector/start-redirector.ts";
import { documentOf, publish, routeOf, startTestRedirector, TOKEN, visit } from "#tests/support/twins/redirector.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const scratch = await makeScratchFolder();
let number = 0;
let folder: string;
let redirector: Redirector;

beforeEach(async () => {
  folder = path.join(scratch, String((number += 1)));
  redirector = await startTestRedirector(folder);
  await publish(redirector, documentOf(1, [routeOf(1), routeOf(2)]));
});
afterEach(async () => {
  vi.useRealTimers();
  await redirector.close();
});

const go = (number: number, method = "GET") => visit(redirector, "shop.test", `/slug-${number}`, { method });
const report = () => requestReport({ url: redirector.publishUrl, token: TOKEN }, "2000-01-01");
const today = () => new Date().toISOString().slice(0, 10);

it("counts redirects by route and day and stores nothing else about a visit", async () => {
  for (const route of [1, 1, 1, 2, 3]) await go(route);
  await go(1, "HEAD");
  expect((await report()).counts).toEqual({ [today()]: { [routeOf(1).id]: 3, [routeOf(2).id]: 1 } });
  await redirector.close();
  const kept = JSON.parse(await readFile(path.join(folder, "counts.json"), "utf8")) as object;
  expect(kept).toEqual({ source: expect.any(String), days: { [today()]: { [routeOf(1).id]: 3, [routeOf(2).id]: 1 } } });
  redirector = await startTestRedirector(folder);
});

it("keeps counting across publishes and restarts, and keeps the counts of removed routes", async () => {
  await go(1);
  await go(2);
  await publish(redirector, documentOf(2, [routeOf(1, { slug: "renamed" })]));
  await visit(redirector, "shop.test", "/renamed");
  const { source } = await report();
  await redirector.close();
  redirector = await startTestRedirector(folder);
  await visit(redirector, "shop.test", "/renamed");
  expect(await report()).toMatchObject({ source, counts: { [today()]: { [routeOf(1).id]: 3, [routeOf(2).id]: 1 } } });
});

it("starts a new day at midnight UTC", async () => {
  await redirector.close();
  vi.useFakeTimers({ now: new Date("2026-03-01T23:59:59.900Z"), toFake: ["Date", "setTimeout", "clearTimeout"] });
  redirector = await startTestRedirector(folder);
  await go(1);
  await vi.advanceTimersByTimeAsync(200);
  await go(1);
  await go(1);
  expect((await report()).counts).toEqual({
    "2026-03-01": { [routeOf(1).id]: 1 },
    "2026-03-02": { [routeOf(1).id]: 2 },
  });
});

it.each([
  "{",
  "null",
  '{"source":"s","days":null}',
  '{"source":"s","days":[]}',
  '{"source":"s","days":{"2026-03-01":null}}',
  '{"source":"s","days":{"2026-03-01":{"a":"1"}}}',
])("restarts from zero under a new source id when its counts are unreadable: %s", async (content) => {
  const { source } = await report();
  await go(1);
  await redirector.close();
  await writeFile(path.join(folder, "counts.json"), content);
  redirector = await startTestRedirector(folder);
  const fresh = await report();
  expect(fresh.counts).toEqual({});
  expect(fresh.source).not.toBe(source);
  expect((await go(1)).status).toBe(302);
});
