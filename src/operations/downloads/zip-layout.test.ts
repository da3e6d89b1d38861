import { mkdtemp, open, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { open as openZip, type Options, type ZipFile } from "yauzl";
import { uniqueNames } from "./job-files.ts";
import { layOutZip, type ZipPart } from "./zip-layout.ts";

const TIME = new Date("2026-03-04T05:06:08.500Z");
const GIGABYTE = 1024 ** 3;

function bytesOf(part: ZipPart | undefined): Buffer {
  if (!part || !("bytes" in part)) throw new Error("These are a file's bytes.");
  return Buffer.from(part.bytes);
}

describe("the layout of a zip", () => {
  it("has contiguous parts and the declared length", () => {
    const { parts, sizeBytes } = layOutZip([entry("a.mp4", 10), entry("ü.mp4", 0), entry("c.mp4", 7)], TIME);
    let end = 0;
    for (const part of parts) {
      expect(part.start).toBe(end);
      expect("bytes" in part ? part.bytes.length : part.length).toBe(part.length);
      end += part.length;
    }
    expect(end).toBe(sizeBytes);
  });

  it("has the same bytes for the same files in any time zone", () => {
    const header = bytesOf(layOutZip([entry("a.mp4", 10)], TIME).parts[0]);
    expect(header.readUInt16LE(10)).toBe((5 << 11) | (6 << 5) | 4);
    expect(header.readUInt16LE(12)).toBe(((2026 - 1980) << 9) | (3 << 5) | 4);
  });

  it("uses zip64 where a size or an offset needs it", () => {
    const { parts, sizeBytes } = layOutZip([entry("large.mp4", 5 * GIGABYTE), entry("behind.mp4", 3)], TIME);
    expect(sizeBytes).toBeGreaterThan(5 * GIGABYTE);
    const header = bytesOf(parts[0]);
    expect(header.readUInt32LE(18)).toBe(0xffff_ffff);
    expect(header.includes(Buffer.from([1, 0, 16, 0, 0, 0, 0, 64, 1]))).toBe(true);
    expect(bytesOf(parts[2]).readUInt32LE(18)).toBe(3);
    const tail = bytesOf(parts[4]);
    const locator = tail.lastIndexOf(Buffer.from("PK\x06\x07"));
    const endRecord = Number(tail.readBigUInt64LE(locator + 8)) - parts[4]!.start;
    expect(tail.subarray(endRecord, endRecord + 4).toString("latin1")).toBe("PK\x06\x06");
    expect(tail.readBigUInt64LE(endRecord + 48)).toBe(BigInt(parts[4]!.start));
  });

  it("can be read by another program if larger than 4 GB", async () => {
    const small = Buffer.from("behind it all");
    const { parts, sizeBytes } = layOutZip(
      [entry("large.mp4", 5 * GIGABYTE), { name: "behind.mp4", sizeBytes: small.length, crc32: crc32(small) }],
      TIME,
    );
    const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-zip-"));
    const file = path.join(folder, "large.zip");
    // The large entry is sparse and takes no disk space.
    const handle = await open(file, "w");
    for (const part of parts) if ("bytes" in part) await handle.write(part.bytes, 0, part.length, part.start);
    await handle.write(small, 0, small.length, parts[3]!.start);
    await handle.close();
    expect((await stat(file)).size).toBe(sizeBytes);
    const zip = await promisify<string, Options, ZipFile>(openZip)(file, { lazyEntries: true });
    const seen: [string, number, number][] = [];
    let content = "";
    for await (const found of zip.eachEntry()) {
      seen.push([found.fileName, found.uncompressedSize, found.getLastModDate().getTime()]);
      if (found.fileName === "behind.mp4") content = await text(await zip.openReadStreamPromise(found));
    }
    await rm(folder, { recursive: true });
    const second = Math.floor(TIME.getTime() / 1000) * 1000;
    expect(seen).toEqual([
      ["large.mp4", 5 * GIGABYTE, second],
      ["behind.mp4", small.length, second],
    ]);
    expect(content).toBe("behind it all");
  });

  it("uses zip64 for more files than 16 bits can count", () => {
    const { parts } = layOutZip(
      Array.from({ length: 70_000 }, (_, i) => entry(`${i}.mp4`, 1)),
      TIME,
    );
    const tail = bytesOf(parts.at(-1));
    const locator = tail.lastIndexOf(Buffer.from("PK\x06\x07"));
    const endRecord = Number(tail.readBigUInt64LE(locator + 8)) - parts.at(-1)!.start;
    expect(tail.readBigUInt64LE(endRecord + 32)).toBe(70_000n);
    expect(tail.readUInt16LE(tail.length - 12)).toBe(0xffff);
  });
});

describe("names in a zip", () => {
  it("are clean, and unique on a system that ignores case", () => {
    expect(uniqueNames(["a.mp4", "A.mp4", "../a.mp4", "a (2).mp4", "a.mp4", ""])).toEqual([
      "a.mp4",
      "A (2).mp4",
      "_a.mp4",
      "a (2) (2).mp4",
      "a (3).mp4",
      "output.mp4",
    ]);
  });
});

function entry(name: string, sizeBytes: number) {
  return { name, sizeBytes, crc32: 0 };
}
