import os from "node:os";
import { expect, test } from "vitest";
import { readDiskSpace } from "./disk-space.ts";

test("reads the free and the total space of a folder's disk in bytes", async () => {
  const { freeBytes, totalBytes } = await readDiskSpace(os.tmpdir());
  expect(totalBytes).toBeGreaterThan(1_000_000);
  expect(freeBytes).toBeLessThanOrEqual(totalBytes);
});

test("rejects for a folder that does not exist", async () => {
  await expect(readDiskSpace("/does/not/exist")).rejects.toMatchObject({ code: "ENOENT" });
});
