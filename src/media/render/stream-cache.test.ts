import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { endMissing } from "#contract/jobs/warnings.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openStreamCache } from "./stream-cache.ts";

const folder = await makeScratchFolder();
const [root, out] = [path.join(folder, "cache"), folder];
let made = 0;

/** Writes a stream and its thumbnail to new files. */
async function makeStream(content: string) {
  const file = path.join(folder, `made-${made++}`);
  await writeFile(`${file}.mp4`, content);
  await writeFile(`${file}.jpg`, "thumbnail");
  return { path: `${file}.mp4`, thumbnailPath: `${file}.jpg`, seconds: 1.5, warnings: [endMissing(2)] };
}

test("gives back what was kept, also after it is opened again and after the maker's own files are gone", async () => {
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

test("drops what was used longest ago when it is full, and never pulls a file away that was taken", async () => {
  const cache = await openStreamCache(path.join(folder, "full"), 250);
  for (const key of ["first", "second"]) await cache.keep(key, await makeStream(key.padEnd(91)));
  const taken = await cache.take("first", out, "first");
  await cache.keep("third", await makeStream("third".padEnd(91)));
  expect((await readdir(path.join(folder, "full"))).toSorted()).toEqual(["first", "third"]);
  for (const key of ["fourth", "fifth"]) await cache.keep(key, await makeStream(key.padEnd(91)));
  expect(await cache.take("first", out, "again")).toBeNull();
  expect((await readFile(taken!.path, "utf8")).trim()).toBe("first");
});

test.each(["stream", "thumbnail", "facts.json"])(
  "a damaged or missing %s is a stream that is not there",
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

test("one makes a stream at a time, and the others hear when that has ended", async () => {
  const cache = await openStreamCache(path.join(folder, "shared"), 1_000);
  const first = cache.reserve("key");
  const second = cache.reserve("key");
  expect(second).toBeInstanceOf(Promise);
  if (!(first instanceof Promise)) first.release();
  await second;
  expect(cache.reserve("key")).not.toBeInstanceOf(Promise);
});
