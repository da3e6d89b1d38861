import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSourceCache } from "./source-cache.ts";

let folder: string;
let root: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-cache-"));
  root = path.join(folder, "cache");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function makeTaker(name: string) {
  const own = path.join(folder, name);
  await mkdir(own);
  const controller = new AbortController();
  return { folder: own, signal: controller.signal, abort: () => controller.abort(new Error(`${name} was cancelled`)) };
}

/** Ends on command, or fails when no longer needed. */
function gatedFetch(bytes: string) {
  const started = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  return {
    started: started.promise,
    letGo: gate.resolve,
    fail: gate.reject,
    fetch: async (toPath: string, signal: AbortSignal) => {
      signal.addEventListener("abort", () => gate.reject(signal.reason));
      started.resolve();
      await gate.promise;
      await writeFile(toPath, bytes);
      return { name: "clip.mp4" };
    },
  };
}

const fetchNow = (bytes: string) => async (toPath: string) => {
  await writeFile(toPath, bytes);
  return { name: "clip.mp4" };
};

const fetchNever = () => Promise.reject(new Error("This must not be downloaded."));

it("shares one download between concurrent requests for a file", async () => {
  const cache = await openSourceCache(root, 1_000);
  const [first, second] = [await makeTaker("first"), await makeTaker("second")];
  const download = gatedFetch("bytes");
  const taken = cache.take("a", first, download.fetch);
  await download.started;
  const shared = cache.take("a", second, fetchNever);
  download.letGo();
  const sources = await Promise.all([taken, shared]);
  expect(sources.map((source) => source.name)).toEqual(["clip.mp4", "clip.mp4"]);
  expect(await Promise.all(sources.map((source) => readFile(source.path, "utf8")))).toEqual(["bytes", "bytes"]);
});

it("keeps a download for the others when its first taker is canceled, and stops it with the last one", async () => {
  const cache = await openSourceCache(root, 1_000);
  const [first, second] = [await makeTaker("first"), await makeTaker("second")];
  const download = gatedFetch("bytes");
  const cancelled = cache.take("a", first, download.fetch);
  await download.started;
  const shared = cache.take("a", second, fetchNever);
  // Takes run one after the other: the second one has joined the download by the end of this one.
  await cache.take("other", second, fetchNow("other"));
  first.abort();
  await expect(cancelled).rejects.toThrow("first was cancelled");
  await rm(first.folder, { recursive: true });
  download.letGo();
  expect(await readFile((await shared).path, "utf8")).toBe("bytes");

  const unwanted = gatedFetch("bytes");
  const third = await makeTaker("third");
  const stopped = cache.take("b", third, unwanted.fetch);
  await unwanted.started;
  third.abort();
  await expect(stopped).rejects.toThrow("third was cancelled");
  expect((await readdir(root)).filter((name) => name.startsWith("."))).toEqual([]);
});

it("downloads again for the others when a shared download fails", async () => {
  const cache = await openSourceCache(root, 1_000);
  const [first, second] = [await makeTaker("first"), await makeTaker("second")];
  const download = gatedFetch("bytes");
  const failing = cache.take("a", first, download.fetch);
  await download.started;
  const shared = cache.take("a", second, fetchNow("second"));
  download.fail(new Error("The file is too large."));
  await expect(failing).rejects.toThrow("The file is too large.");
  expect(await readFile((await shared).path, "utf8")).toBe("second");
});

it("releases a canceled taker while another one downloads", async () => {
  const cache = await openSourceCache(root, 1_000);
  const [first, second] = [await makeTaker("first"), await makeTaker("second")];
  const download = gatedFetch("bytes");
  const taken = cache.take("a", first, download.fetch);
  await download.started;
  const shared = cache.take("a", second, fetchNever);
  second.abort();
  await expect(shared).rejects.toThrow("second was cancelled");
  download.letGo();
  await taken;
});

it("evicts the least recently used files and always returns complete ones", async () => {
  const cache = await openSourceCache(root, 300);
  const taker = await makeTaker("taker");
  const identities = Array.from({ length: 40 }, (_, i) => String(i % 5));
  const sources = await Promise.all(
    identities.map((identity) => cache.take(identity, taker, fetchNow(`file${identity}`))),
  );
  expect(await Promise.all(sources.map((source) => readFile(source.path, "utf8")))).toEqual(
    identities.map((identity) => `file${identity}`),
  );
  expect((await readdir(root)).filter((name) => !name.includes(".")).length).toBeLessThanOrEqual(2);
});

it("returns the same bytes to two programs that fetch one file into the same folder concurrently", async () => {
  const [server, worker] = [await openSourceCache(root, 1_000), await openSourceCache(root, 1_000)];
  const [first, second] = [await makeTaker("first"), await makeTaker("second")];
  const download = gatedFetch("first");
  const slow = server.take("a", first, download.fetch);
  await download.started;
  // The file has changed in between; the first complete download wins.
  const quick = await worker.take("a", second, fetchNow("second"));
  download.letGo();
  const sources = [quick, await slow];
  expect(await Promise.all(sources.map((source) => readFile(source.path, "utf8")))).toEqual(["second", "second"]);
  expect(new Set(sources.map((source) => source.revision)).size).toBe(1);
  expect((await readdir(root)).filter((name) => name.startsWith("."))).toEqual([]);
});

it("downloads a file again if another program has evicted it", async () => {
  const [small, large] = [await openSourceCache(root, 150), await openSourceCache(root, 1_000)];
  const taker = await makeTaker("taker");
  await large.take("a", taker, fetchNow("aaaaa"));
  await small.take("b", taker, fetchNow("bbbbb"));
  const again = await large.take("a", await makeTaker("again"), fetchNow("aaaaa"));
  expect(await readFile(again.path, "utf8")).toBe("aaaaa");
});

it("downloads a file again if a power cut has damaged the cache", async () => {
  const cache = await openSourceCache(root, 1_000);
  await cache.take("a", await makeTaker("taker"), fetchNow("aaaaa"));
  const [entry] = await readdir(root);
  const [facts, source] = [path.join(root, entry!, "facts.json"), path.join(root, entry!, "source")];
  for (const [i, spoil] of [() => writeFile(facts, ""), () => rm(facts), () => rm(source)].entries()) {
    await spoil();
    const again = await cache.take("a", await makeTaker(`again ${i}`), fetchNow("aaaaa"));
    expect(await readFile(again.path, "utf8")).toBe("aaaaa");
  }
});
