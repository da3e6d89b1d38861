import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { type DiskCache, openDiskCache } from "./disk-cache.ts";

const scratch = await makeScratchFolder();
let opened = 0;

function newRoot(): string {
  return path.join(scratch, `cache-${opened++}`);
}

const write = (content: string) => (entry: string) => writeFile(path.join(entry, "file"), content);
const readFrom = (entry: string) => readFile(path.join(entry, "file"), "utf8");
const add = (cache: DiskCache, key: string, content = "0123456789") => cache.add(key, write(content), readFrom);

/** Explicit times, because all of this may happen within one tick of the clock that dates a new folder. */
const setUsed = (root: string, key: string, seconds: number) => utimes(path.join(root, key), seconds, seconds);

test("evicts the least recently used entries above the limit", async () => {
  const root = newRoot();
  const cache = await openDiskCache(root, 25);
  for (const [i, key] of ["a", "b"].entries()) {
    expect(await add(cache, key)).toBe("0123456789");
    await setUsed(root, key, i + 1);
  }
  await cache.read("a", readFrom);
  await add(cache, "c");
  expect((await readdir(root)).toSorted()).toEqual(["a", "c"]);
  expect(await cache.read("b", readFrom)).toBeNull();
  await cache.trim(0);
  expect(await readdir(root)).toEqual([]);
});

test("is never above its limit during eight concurrent additions, also by another process", async () => {
  const root = newRoot();
  const caches = [await openDiskCache(root, 35), await openDiskCache(root, 35)];
  await add(caches[1]!, "other");
  await Promise.all(Array.from({ length: 8 }, (_, i) => add(caches[0]!, `key ${i}`)));
  expect((await readdir(root)).length).toBe(3);
});

test("keeps entries in use: those being read, and those that were used recently", async () => {
  const root = newRoot();
  const cache = await openDiskCache(root, 5);
  const { promise: isRead, resolve: finish } = Promise.withResolvers<void>();
  const reading = cache.add("read", write("content"), async (entry) => {
    await isRead;
    return await readFrom(entry);
  });
  await expect.poll(() => readdir(root)).toEqual(["read"]);
  await add(cache, "next");
  await cache.trim(0);
  expect(await readdir(root)).toEqual(["read"]);
  finish();
  expect(await reading).toBe("content");
  const recent = await openDiskCache(root, 5, { inUseMs: 60_000 });
  expect(await readdir(root)).toEqual(["read"]);
  await setUsed(root, "read", 1);
  await recent.trim(5);
  expect(await readdir(root)).toEqual([]);
});

test("keeps the first of two equal entries, and leaves nothing behind when one cannot be written", async () => {
  const root = newRoot();
  const cache = await openDiskCache(root, 100);
  expect(await add(cache, "key", "first")).toBe("first");
  expect(await add(cache, "key", "second")).toBe("first");
  const failing = cache.add("other", () => Promise.reject(new Error("The disk is full.")), readFrom);
  await expect(failing).rejects.toThrow("The disk is full.");
  expect(await readdir(root)).toEqual(["key"]);
});

test("removes what a killed process left, and the files of an earlier version's cache", async () => {
  const root = newRoot();
  for (const [key, seconds] of [
    [".dead", 1],
    [".alive", Date.now() / 1_000],
    ["entry", 1],
  ] as const) {
    await mkdir(path.join(root, key), { recursive: true });
    await writeFile(path.join(root, key, "file"), "half");
    await utimes(path.join(root, key, "file"), seconds, seconds);
    await setUsed(root, key, seconds);
  }
  await writeFile(path.join(root, "0a1b.sha256"), "");
  await openDiskCache(root, 100);
  expect((await readdir(root)).toSorted()).toEqual([".alive", "entry"]);
});
