import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { combineCrc32 } from "./combine-crc32.ts";

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
