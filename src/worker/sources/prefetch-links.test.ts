import { readFile } from "node:fs/promises";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import { savePrefetchSources } from "#operations/settings/read-settings.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { createPrefetcher } from "./create-prefetcher.ts";
import type { Prefetched, Prefetcher } from "./prefetcher.ts";
import { createPrefetchSources } from "./prefetch-links.ts";
import { createProbeCache } from "./probe-cache.ts";
import { openSourceCache } from "./source-cache.ts";

const log = pino({ level: "silent" });
const OPEN = new AbortController().signal;
let worker: TestWorker;

beforeAll(async () => {
  worker = await openTestWorker();
});
afterAll(() => worker[Symbol.asyncDispose]());

/** Downloads end on command. */
function gatedPrefetcher() {
  const gates = new Map<string, PromiseWithResolvers<Prefetched>>();
  const started: string[] = [];
  const canceled: string[] = [];
  const prefetcher: Prefetcher = {
    foreground: (act) => act(),
    stop: async () => {},
    prefetch({ link }, _rank, signal) {
      const gate = Promise.withResolvers<Prefetched>();
      signal.addEventListener("abort", () => {
        canceled.push(link);
        gate.reject(signal.reason);
      });
      started.push(link);
      gates.set(link, gate);
      return gate.promise;
    },
  };
  const end = async (link: string, sizeBytes = 1) => {
    await expect.poll(() => started).toContain(link);
    gates.get(link)!.resolve({ probe: {} as Prefetched["probe"], sizeBytes });
  };
  return { prefetcher, started, canceled, end };
}

it("continues the download of a link that stays in the form, and stops that of a removed one", async () => {
  const { prefetcher, started, canceled, end } = gatedPrefetcher();
  const prefetch = createPrefetchSources({ context: worker.context, prefetcher, log });
  void prefetch(["a", "b"], "form", OPEN);
  await expect.poll(() => started).toEqual(["a"]);
  void prefetch(["a", "c"], "form", OPEN);
  await end("a");
  await expect.poll(() => started).toEqual(["a", "c"]);
  const closing = new AbortController();
  const last = prefetch(["d"], "form", closing.signal);
  await expect.poll(() => started).toEqual(["a", "c", "d"]);
  closing.abort();
  await last;
  expect(canceled).toEqual(["c", "d"]);
});

it("stops at the limit of bytes and at the switch, and goes on after a failure", async () => {
  const { prefetcher, started, end } = gatedPrefetcher();
  const prefetch = createPrefetchSources({ context: worker.context, prefetcher, log }, 100);
  const done = prefetch(["large", "late"], "form", OPEN);
  await end("large", 100);
  await done;
  expect(started).toEqual(["large"]);

  const failing: Prefetcher = {
    ...prefetcher,
    prefetch: ({ link }) => {
      started.push(link);
      return Promise.reject(new ClipmillError("not_shared", "This file is not shared."));
    },
  };
  const prefetchBad = createPrefetchSources({ context: worker.context, prefetcher: failing, log });
  await prefetchBad(["bad 1", "bad 2"], "form", OPEN);
  expect(started).toEqual(["large", "bad 1", "bad 2"]);
  await savePrefetchSources(worker.context.db, false);
  await prefetchBad(["bad 3"], "form", OPEN);
  expect(started).toEqual(["large", "bad 1", "bad 2"]);
  await savePrefetchSources(worker.context.db, null);
});

it("fetches what the job then uses, but nothing while the disk is almost full", async () => {
  const file = path.join(worker.folder, "clip.mp4");
  await makeClip(file, { width: 64, height: 64, seconds: 0.5, framesPerSecond: 10, toneHz: null });
  worker.twin.add({ id: "form", bytes: await readFile(file), name: "clip.mp4", mimeType: "video/mp4" });
  const downloads = () =>
    worker.twin.requests.filter(({ query, range }) => query.get("id") === "form" && range === null).length;
  const open = async (state: "ok" | "low") => {
    const prefetcher = createPrefetcher({
      context: worker.context,
      tools: await testTools(),
      sources: await openSourceCache(path.join(worker.folder, "cache"), 1024 ** 3),
      probes: createProbeCache(),
      disk: { state: () => state, onChange: (listener) => listener(state) },
      scratchRoot: path.join(worker.folder, "scratch"),
    });
    return createPrefetchSources({ context: worker.context, prefetcher, log });
  };
  await (
    await open("low")
  )([worker.twin.links("form")], "form", OPEN);
  expect(downloads()).toBe(0);
  await (
    await open("ok")
  )([worker.twin.links("form")], "form", OPEN);
  expect(downloads()).toBe(1);
  await worker.start();
  const job = await worker.create({ input_videos: [worker.twin.links("form")] });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  expect(downloads()).toBe(1);
});
