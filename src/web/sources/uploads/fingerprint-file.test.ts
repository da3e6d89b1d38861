import { expect, test } from "vitest";
import { fingerprintFile } from "./fingerprint-file.ts";

const BYTES = 300_000;

function fileOf(change?: number): File {
  const bytes = Uint8Array.from({ length: BYTES }, (_, i) => i % 251);
  if (change !== undefined) bytes[change]! ^= 1;
  return new File([bytes], "a.mp4", { lastModified: 1_700_000_000_000 });
}

test("the same file has the same fingerprint, another one does not", async () => {
  const own = await fingerprintFile(fileOf());
  expect(await fingerprintFile(fileOf())).toBe(own);
  expect(own).toMatch(/^300000-1700000000000-[0-9a-f]{1,8}-[0-9a-f]{1,8}$/);
  for (const change of [0, BYTES / 2, BYTES - 1]) expect(await fingerprintFile(fileOf(change))).not.toBe(own);
  const touched = new File([await fileOf().arrayBuffer()], "a.mp4", { lastModified: 1 });
  expect(await fingerprintFile(touched)).not.toBe(own);
});

test("a file smaller than a sample has one too", async () => {
  expect(await fingerprintFile(new File(["x"], "a"))).not.toBe(await fingerprintFile(new File(["y"], "a")));
});
