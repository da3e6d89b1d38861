/** Publishes, clicks and counts the links of a large job, while reports repeat and redirectors restart. */
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { PublishResult } from "#contract/cloak/cloak.ts";
import type { JobLinks } from "#contract/links/job-links.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import { collectReport } from "#operations/cloak/publishing/collect-report.ts";
import { type RedirectorSettings } from "#operations/cloak/publishing/publish-config.ts";
import { isFullRun, testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { type LinkedJob, startLinkedJob } from "#tests/support/jobs/linked-job.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { startRedirectorProcess, startTestRedirector, TOKEN } from "#tests/support/twins/redirector.ts";

const FILES = isFullRun ? { videos: 100, variants: 100 } : { videos: 50, variants: 50 };
const ROUTES = FILES.videos * FILES.variants;
const PAGE = 1_000;
const CLICKS = isFullRun ? 50_000 : 1_000;
const CONNECTIONS = 32;

type Running = { port: number; publishUrl: string; stop(): Promise<void> };

const scratch = await makeScratchFolder();
const settings: RedirectorSettings = { syncUrl: null, token: TOKEN, builtInUrl: null };
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let server: TestServer;
let job: LinkedJob;
let redirector: Running;
let hosts = 0;
const clicked = new Map<string, number>();

async function startOn(folder: string): Promise<Running> {
  if (isFullRun) return startRedirectorProcess(folder);
  const started = await startTestRedirector(folder);
  return { ...started, stop: started.close };
}

async function call<Result>(name: string, body: object): Promise<Result> {
  const { data, error } = await server.client.functions.invoke<Result>(name, { body: { ...body } });
  if (error) throw error;
  return data!;
}

const links = () => call<JobLinks>("jobs", { action: "links", jobId: job.jobId });

beforeAll(async () => {
  server = await startTestServer(undefined, { redirector: settings });
  job = await startLinkedJob(server.context, { ...FILES, link_utm: "utm_content={name}-{variant}" });
  await job.end();
}, 180_000);

afterAll(async () => {
  agent.destroy();
  await redirector?.stop();
  await server.close();
});

testFault(
  {
    id: "link-clicks",
    fault: `${ROUTES.toLocaleString("en")} links of a job are clicked while three servers collect each report several times, the redirector restarts, and another one replaces it`,
    expected: "the clicks of each link are those that the visitors' side counted",
    rounds: { short: 1, full: 10 },
    secondsPerRound: 120,
  },
  clickAndCount,
);

async function clickAndCount(round: number): Promise<void> {
  const paths = await readPaths();
  const seconds: number[] = [];
  // The same machine twice, then one without counts.
  for (const restarts of [0, 1, 2]) {
    if (restarts !== 1) hosts += 1;
    await redirector?.stop();
    redirector = await startOn(path.join(scratch, String(hosts)));
    settings.syncUrl = redirector.publishUrl;
    const published = await call<PublishResult>("cloak-publisher", {});
    expect(published).toMatchObject({
      success: true,
      message: expect.stringContaining(`${ROUTES.toLocaleString("en")} routes`),
    });
    const startedMs = performance.now();
    await Promise.all([click(paths, round * 3 + restarts), collectOften()]);
    seconds.push((performance.now() - startedMs) / 1_000);
    await collectOften();
  }
  const { links: counted, is_published: isPublished } = await links();
  expect(isPublished).toBe(true);
  const stored = new Map(counted.map(({ url, clicks }) => [new URL(url).pathname, clicks]));
  const wrong = paths.filter((each) => stored.get(each) !== (clicked.get(each) ?? 0));
  expect(wrong).toEqual([]);
  expect(counted.reduce((sum, { days }) => sum + days.reduce((all, each) => all + each, 0), 0)).toBe(
    [...clicked.values()].reduce((sum, each) => sum + each, 0),
  );
}

async function readPaths(): Promise<string[]> {
  const slugs = new Map<string, string>();
  for (let from = 0; ; from += PAGE) {
    const page = server.client.from("routes").select("id,slug").order("created_at", { ascending: false });
    const { data, error } = await page.range(from, from + PAGE - 1);
    if (error) throw error;
    for (const { id, slug } of data as { id: string; slug: string }[]) slugs.set(id, slug);
    if (data.length < PAGE) break;
  }
  expect(slugs.size).toBe(ROUTES);
  return [...slugs.values()].map((slug) => `/${slug}`);
}

async function click(paths: readonly string[], seed: number): Promise<void> {
  const numbers = Array.from({ length: CLICKS }, (_, i) =>
    i % 5 === 0 ? i % 10 : (i * 7_919 + seed * 104_729) % ROUTES,
  );
  await forEachAtOnce(numbers, CONNECTIONS, async (number) => {
    const sent = request({ port: redirector.port, path: paths[number]!, agent, headers: { host: "shop.test" } });
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    await once(response, "end");
    expect([response.statusCode, response.headers.location]).toEqual([
      302,
      expect.stringContaining("utm_content=Clip%20"),
    ]);
    clicked.set(paths[number]!, (clicked.get(paths[number]!) ?? 0) + 1);
  });
}

/** Simulates three servers, some of them late. */
async function collectOften(): Promise<void> {
  for (let i = 0; i < 2; i += 1) {
    await Promise.all(Array.from({ length: 3 }, () => collectReport(server.context, settings)));
  }
}
