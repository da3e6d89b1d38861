import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256Of } from "#ground/checksum.ts";
import { STORAGES, type TestStorage } from "#tests/support/servers/storages.ts";
import type { Storage } from "./storage.ts";

const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7) % 256));
/** More than two parts of a multipart upload. */
const MANY_BYTES = Buffer.alloc(20_000_001, "many bytes");

describe.each(STORAGES)("$kind as storage", ({ openStorage }) => {
  let folder: string;
  let opened: TestStorage;
  let storage: Storage;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "clipmill-storage-"));
    opened = await openStorage(folder);
    storage = opened.storage;
  });
  afterEach(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });

  async function localFile(bytes: Buffer = BYTES): Promise<string> {
    const file = path.join(folder, "local");
    await writeFile(file, bytes);
    return file;
  }

  it("stores a file with its size and CRC32 and returns it", async () => {
    const local = await localFile();
    expect(await storage.put("jobs/1/out 1.mp4", local)).toEqual({
      sizeBytes: BYTES.length,
      crc32: crc32(BYTES),
      sha256: sha256Of(BYTES),
    });
    expect(await buffer(await storage.read("jobs/1/out 1.mp4"))).toEqual(BYTES);
    expect(await storage.sizeOf("jobs/1/out 1.mp4")).toBe(BYTES.length);
    expect(await readFile(await storage.toLocalFile("jobs/1/out 1.mp4"))).toEqual(BYTES);
    await expect(stat(local)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("stores a large file completely", async () => {
    const stored = await storage.put("large.mp4", await localFile(MANY_BYTES));
    expect(stored).toEqual({ sizeBytes: MANY_BYTES.length, crc32: crc32(MANY_BYTES), sha256: sha256Of(MANY_BYTES) });
    expect((await buffer(await storage.read("large.mp4"))).equals(MANY_BYTES)).toBe(true);
  });

  it("replaces a file and its local copy", async () => {
    await storage.put("a", await localFile());
    await storage.toLocalFile("a");
    await storage.put("a", await localFile(Buffer.from("new")));
    expect((await buffer(await storage.read("a"))).toString()).toBe("new");
    expect(await readFile(await storage.toLocalFile("a"), "utf8")).toBe("new");
  });

  it("stores an empty file", async () => {
    expect(await storage.put("empty", await localFile(Buffer.alloc(0)))).toEqual({
      sizeBytes: 0,
      crc32: 0,
      sha256: sha256Of(""),
    });
    expect(await storage.sizeOf("empty")).toBe(0);
    expect(await buffer(await storage.read("empty"))).toHaveLength(0);
  });

  it("reads an inclusive range and stops at the end of the file", async () => {
    await storage.put("a", await localFile());
    expect(await buffer(await storage.read("a", { start: 10, end: 19 }))).toEqual(BYTES.subarray(10, 20));
    expect(await buffer(await storage.read("a", { start: 99_990, end: 1e9 }))).toEqual(BYTES.subarray(99_990));
    expect(await buffer(await storage.read("a", { start: 100_000, end: 100_001 }))).toHaveLength(0);
    await expect(storage.read("a", { start: 5, end: 4 })).rejects.toMatchObject({ code: "invalid" });
  });

  it("closes a file when its reader stops early, even before the first byte", async () => {
    await storage.put("a", await localFile(MANY_BYTES));
    const left = await storage.read("a");
    for await (const _ of left) break;
    const unread = await storage.read("a");
    unread.destroy();
    await expect.poll(() => left.closed && unread.closed).toBe(true);
  });

  it("reports a missing file", async () => {
    await storage.put("folder/file", await localFile());
    for (const key of ["nothing", "folder", "folder/file/below"]) {
      expect(await storage.sizeOf(key)).toBeNull();
      await expect(storage.read(key)).rejects.toMatchObject({ code: "not_found" });
      await expect(storage.toLocalFile(key)).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(storage.put("a", path.join(folder, "nothing"))).rejects.toMatchObject({ code: "not_found" });
  });

  it("stores nothing after a cancel", async () => {
    const local = await localFile();
    const cancelled = new Error("cancelled");
    await expect(storage.put("a", local, { signal: AbortSignal.abort(cancelled) })).rejects.toBe(cancelled);
    expect(await storage.sizeOf("a")).toBeNull();
    expect(await readFile(local)).toEqual(BYTES);
  });

  it("removes only what is under a prefix", async () => {
    for (const key of ["jobs/1/a", "jobs/1/b/c", "jobs/10/a"]) await storage.put(key, await localFile());
    await storage.removeAll("jobs/1");
    await storage.removeAll("jobs/1");
    expect(await storage.sizeOf("jobs/1/a")).toBeNull();
    expect(await storage.sizeOf("jobs/1/b/c")).toBeNull();
    expect(await storage.sizeOf("jobs/10/a")).toBe(BYTES.length);
    await storage.removeAll("jobs/10/a");
    expect(await storage.sizeOf("jobs/10/a")).toBeNull();
  });

  it.each([
    "plus + percent %2F %00 %.mp4",
    "hash # and & equals = semicolon ; &amp;.mp4",
    "it's (1) [x] {y} ~!@$^`,.mp4",
    "Grüße 👩‍👩‍👧 مرحبا.mp4",
    "007",
    "constructor/__proto__",
    `${"long/".repeat(100)}x`,
  ])("stores files under the name %j", async (key) => {
    await storage.put(`odd/${key}`, await localFile());
    expect(await storage.sizeOf(`odd/${key}`)).toBe(BYTES.length);
    expect(await buffer(await storage.read(`odd/${key}`, { start: 1, end: 5 }))).toEqual(BYTES.subarray(1, 6));
    expect(await readFile(await storage.toLocalFile(`odd/${key}`))).toEqual(BYTES);
    await storage.removeAll("odd");
    expect(await storage.sizeOf(`odd/${key}`)).toBeNull();
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
  ])("rejects the key %.30j in every method", async (key) => {
    const rejection = { code: "invalid" };
    await expect(storage.put(key, await localFile())).rejects.toMatchObject(rejection);
    await expect(storage.read(key)).rejects.toMatchObject(rejection);
    await expect(storage.sizeOf(key)).rejects.toMatchObject(rejection);
    await expect(storage.toLocalFile(key)).rejects.toMatchObject(rejection);
    await expect(storage.removeAll(key)).rejects.toMatchObject(rejection);
  });
});
