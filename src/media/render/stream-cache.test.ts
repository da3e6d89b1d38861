import { readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { endMissing } from "#contract/jobs/outputs/warnings.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openStreamCache } from "./stream-cache.ts";

const folder = await makeScratchFolder();
const [root, out] = [path.join(folder, "cache"), folder];
let made = 0;

async function makeStream(content: string) {
  const file = path.join(folder, `made-${made++}`);
  await writeFile(`${file}.mp4`, content);
  await writeFile(`${file}.jpg`, "thumbnail");
  return { path: `${file}.mp4`, thumbnailPath: `${file}.jpg`, seconds: 1.5, warnings: [endMissing(2)] };
}

test("returns stored streams, even after reopening and after the original files are deleted", async () => {
  const stream = await makeStream("picture");
  await (await openStreamCache(root, 1_000)).keep("a", stream);
  await Promise.all([rm(stream.path), rm(stream.thumbnailPath)]);
  const cache = await openStreamCache(root, 1_000);
  const taken = await cache.take("a", out, "taken");
  expect(await readFile(taken!.path, "utf8")).toBe("picture");
  expect(await readFile(taken!.thumbnailPath!, "utf8")).toBe("thumbnail");
  expect(taken).toMatchObject({ seconds: 1.5, warnings: [endMissing(2)] });
  expect(await cache.take("b", out, "absent")).toBeNull();
  expect(cache.counts).toEqual({ hits: 1, misses: 1 });
});

test("evicts the least recently used stream when full, and never removes a file in use", async () => {
  const cache = await openStreamCache(path.join(folder, "full"), 2_700);
  // Explicit times, because all of this may happen within one tick of the clock that dates a new file.
  const setUsedAt = (key: string, time: number) => utimes(path.join(folder, "full", key), time, time);
  const keepAt = async (key: string, time: number) => {
    await cache.keep(key, await makeStream(key.padEnd(991)));
    await setUsedAt(key, time);
  };
  await keepAt("first", 1);
  await keepAt("second", 2);
  const taken = await cache.take("first", out, "first");
  await keepAt("third", 4);
  expect((await readdir(path.join(folder, "full"))).toSorted()).toEqual(["first", "third"]);
  await setUsedAt("first", 3);
  await keepAt("fourth", 5);
  expect(await cache.take("first", out, "again")).toBeNull();
  expect((await readFile(taken!.path, "utf8")).trim()).toBe("first");
});

test("stays below its limit when many streams are stored at the same time", async () => {
  const cache = await openStreamCache(path.join(folder, "busy"), 2_700);
  const keys = Array.from({ length: 16 }, (_, i) => `key ${i}`);
  const streams = await Promise.all(keys.map((key) => makeStream(key.padEnd(991))));
  await Promise.all(keys.map((key, i) => cache.keep(key, streams[i]!)));
  expect(await readdir(path.join(folder, "busy"))).toHaveLength(2);
  await cache.keep("too large", await makeStream("".padEnd(3_000)));
  expect(await readdir(path.join(folder, "busy"))).toHaveLength(2);
});

test.each(["stream", "thumbnail", "facts.json"])(
  "a stream with a damaged or missing %s is a cache miss",
  async (name) => {
    const cache = await openStreamCache(path.join(folder, `damaged-${name}`), 1_000);
    const file = path.join(folder, `damaged-${name}`, "key", name);
    for (const spoil of [() => writeFile(file, "smashed!!"), () => rm(file)]) {
      await cache.keep("key", await makeStream("picture!!"));
      await spoil();
      expect(await cache.take("key", out, `damaged-${name}`)).toBeNull();
    }
    await cache.keep("key", await makeStream("picture!!"));
    expect(await cache.take("key", out, `damaged-${name}`)).not.toBeNull();
  },
);

test("only one caller reserves a stream at a time, and the others are notified on release", async () => {
  const cache = await openStreamCache(path.join(folder, "shared"), 1_000);
  const first = cache.reserve("key");
  const second = cache.reserve("key");
  expect(second).toBeInstanceOf(Promise);
  if (!(first instanceof Promise)) first.release();
  await second;
  expect(cache.reserve("key")).not.toBeInstanceOf(Promise);
});
