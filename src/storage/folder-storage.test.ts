import { mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFolderStorage } from "./folder-storage.ts";
import type { Storage } from "./storage.ts";

const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7) % 256));
let folder: string;
let root: string;
let storage: Storage;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "clipmill-storage-"));
  root = path.join(folder, "files");
  storage = await openFolderStorage(root);
});
afterEach(async () => await rm(folder, { recursive: true }));

async function localFile(bytes: Buffer = BYTES): Promise<string> {
  const file = path.join(folder, "local");
  await writeFile(file, bytes);
  return file;
}

describe("a folder as storage", () => {
  it("takes a file in, with its size and CRC32, and gives it back", async () => {
    const local = await localFile();
    expect(await storage.put("jobs/1/out 1.mp4", local)).toEqual({ sizeBytes: BYTES.length, crc32: crc32(BYTES) });
    expect(await buffer(await storage.read("jobs/1/out 1.mp4"))).toEqual(BYTES);
    expect(await storage.sizeOf("jobs/1/out 1.mp4")).toBe(BYTES.length);
    expect(await readFile(await storage.toLocalFile("jobs/1/out 1.mp4"))).toEqual(BYTES);
    await expect(stat(local)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("takes a file in from another device", async (context) => {
    const other = await mkdtemp("/dev/shm/clipmill-").catch(() => null);
    if (other === null || (await stat(other)).dev === (await stat(folder)).dev) {
      if (other !== null) await rm(other, { recursive: true });
      context.skip("this machine has no second device to copy from");
      return;
    }
    try {
      await writeFile(path.join(other, "local"), BYTES);
      const stored = await storage.put("a/b", path.join(other, "local"));
      expect(stored).toEqual({ sizeBytes: BYTES.length, crc32: crc32(BYTES) });
      expect(await buffer(await storage.read("a/b"))).toEqual(BYTES);
      expect(await readdir(other)).toEqual([]);
      expect(await readdir(path.join(root, ".incoming"))).toEqual([]);
    } finally {
      await rm(other, { recursive: true });
    }
  });

  it("replaces a file whole", async () => {
    await storage.put("a", await localFile());
    await storage.put("a", await localFile(Buffer.from("new")));
    expect((await buffer(await storage.read("a"))).toString()).toBe("new");
  });

  it("takes an empty file", async () => {
    expect(await storage.put("empty", await localFile(Buffer.alloc(0)))).toEqual({ sizeBytes: 0, crc32: 0 });
  });

  it("reads a range, both ends included, and stops at the end of the file", async () => {
    await storage.put("a", await localFile());
    expect(await buffer(await storage.read("a", { start: 10, end: 19 }))).toEqual(BYTES.subarray(10, 20));
    expect(await buffer(await storage.read("a", { start: 99_990, end: 1e9 }))).toEqual(BYTES.subarray(99_990));
    await expect(storage.read("a", { start: 5, end: 4 })).rejects.toMatchObject({ code: "invalid" });
  });

  it("says that a file is not there", async () => {
    await storage.put("folder/file", await localFile());
    for (const key of ["nothing", "folder", "folder/file/below"]) {
      expect(await storage.sizeOf(key)).toBeNull();
      await expect(storage.read(key)).rejects.toMatchObject({ code: "not_found" });
      await expect(storage.toLocalFile(key)).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(storage.put("a", path.join(folder, "nothing"))).rejects.toMatchObject({ code: "not_found" });
  });

  it("removes what is under a prefix and nothing beside it", async () => {
    for (const key of ["jobs/1/a", "jobs/1/b/c", "jobs/10/a"]) await storage.put(key, await localFile());
    await storage.removeAll("jobs/1");
    await storage.removeAll("jobs/1");
    expect(await storage.sizeOf("jobs/1/a")).toBeNull();
    expect(await storage.sizeOf("jobs/1/b/c")).toBeNull();
    expect(await storage.sizeOf("jobs/10/a")).toBe(BYTES.length);
  });

  it.each([
    "",
    "/",
    "/etc/passwd",
    "..",
    "../a",
    "a/../b",
    "a/./b",
    "a//b",
    "a/",
    "a\0b",
    "a\\b",
    ".incoming/x",
    "c:/x",
    "a\nb",
    "\uD800",
    `${"x/".repeat(1000)}x`,
  ])("refuses the key %.30j in every verb", async (key) => {
    const refusal = { code: "invalid" };
    await expect(storage.put(key, await localFile())).rejects.toMatchObject(refusal);
    await expect(storage.read(key)).rejects.toMatchObject(refusal);
    await expect(storage.sizeOf(key)).rejects.toMatchObject(refusal);
    await expect(storage.toLocalFile(key)).rejects.toMatchObject(refusal);
    await expect(storage.removeAll(key)).rejects.toMatchObject(refusal);
  });

  it("removes copies that a crash left a day ago when it opens, and no younger ones", async () => {
    const incoming = path.join(root, ".incoming");
    await mkdir(incoming, { recursive: true });
    await writeFile(path.join(incoming, "old"), "x");
    await writeFile(path.join(incoming, "young"), "x");
    const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
    await utimes(path.join(incoming, "old"), twoDaysAgo, twoDaysAgo);
    await openFolderStorage(root);
    expect(await readdir(incoming)).toEqual(["young"]);
  });
});
