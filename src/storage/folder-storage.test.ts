import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256Of } from "#ground/checksum.ts";
import { openFolderStorage } from "./open-storage.ts";
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

describe("a folder as storage", () => {
  it("stores a file from another device", async (context) => {
    const other = await mkdtemp("/dev/shm/clipmill-").catch(() => null);
    if (other === null || (await stat(other)).dev === (await stat(folder)).dev) {
      if (other !== null) await rm(other, { recursive: true });
      context.skip("this machine has no second device to copy from");
      return;
    }
    try {
      await writeFile(path.join(other, "local"), BYTES);
      const stored = await storage.put("a/b", path.join(other, "local"));
      expect(stored).toEqual({ sizeBytes: BYTES.length, crc32: crc32(BYTES), sha256: sha256Of(BYTES) });
      expect(await buffer(await storage.read("a/b"))).toEqual(BYTES);
      expect(await readdir(other)).toEqual([]);
      expect(await readdir(path.join(root, ".incoming"))).toEqual([]);
    } finally {
      await rm(other, { recursive: true });
    }
  });

  it("removes a crash's copies after a day when it opens, but no younger ones", async () => {
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
