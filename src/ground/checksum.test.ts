import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { checkFile, combineCrc32, createMeter, measure, metering, sha256Of, sha256OfFile } from "./checksum.ts";

const scratch = await makeScratchFolder();

// Check values from both algorithms' specifications.
const SHA256_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const CRC32_OF_DIGITS = 0xcbf43926;
// Computed with coreutils' sha256sum.
const SHA256_OF_DIGITS = "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225";
const MEASURED_DIGITS = { sizeBytes: 9, crc32: CRC32_OF_DIGITS, sha256: SHA256_OF_DIGITS };

test("hashes and measures a file's content", async () => {
  const folder = await mkdtemp(path.join(scratch, "case-"));
  const abc = path.join(folder, "abc");
  const digits = path.join(folder, "digits");
  await writeFile(abc, "abc");
  await writeFile(digits, "123456789");
  expect(sha256Of("abc")).toBe(SHA256_OF_ABC);
  expect(await sha256OfFile(abc)).toBe(SHA256_OF_ABC);
  expect(await checkFile(digits)).toEqual({ sizeBytes: 9, crc32: CRC32_OF_DIGITS });
  expect(await measure(createReadStream(digits, { highWaterMark: 2 }))).toEqual(MEASURED_DIGITS);
});

test("measures pieces and passes them through unchanged", async () => {
  const meter = createMeter();
  const passed = await Array.fromAsync(metering(pieces(), meter));
  expect(Buffer.concat(passed).toString()).toBe("123456789");
  expect(meter.read()).toEqual(MEASURED_DIGITS);
});

async function* pieces(): AsyncGenerator<Buffer> {
  yield Buffer.from("12345");
  yield Buffer.from("6789");
}

test("combines the CRC-32 of two parts", () => {
  const content = randomBytes(70_000);
  for (const at of [0, 1, 9, 255, 65_536, content.length]) {
    const [first, second] = [content.subarray(0, at), content.subarray(at)];
    expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(crc32(content));
  }
});

test("combines parts above 4 GB in any order", () => {
  const [a, b, c] = [0x12345678, 0x9abcdef0, 0x0fedcba9];
  const [bytesOfB, bytesOfC] = [5 * 2 ** 30 + 3, 7 * 2 ** 31 + 1];
  const leftFirst = combineCrc32(combineCrc32(a, b, bytesOfB), c, bytesOfC);
  expect(combineCrc32(a, combineCrc32(b, c, bytesOfC), bytesOfB + bytesOfC)).toBe(leftFirst);
});
