import os from "node:os";
import { expect, test } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import { explainFullDisk, isDatabaseFull, isDiskFull, readDiskSpace } from "./disk-space.ts";

const withCode = (code: string) => Object.assign(new Error(code), { code });

test.each(["ENOSPC", "EDQUOT"])("converts a write error %s to no_space", (code) => {
  const cause = withCode(code);
  expect(isDiskFull(cause)).toBe(true);
  expect(explainFullDisk(cause)).toMatchObject({
    code: "no_space",
    message: "The disk is full. Free some space, then retry.",
    cause,
  });
  expect(explainFullDisk(cause, "No room.", { key: "a" })).toMatchObject({ message: "No room.", facts: { key: "a" } });
});

test("leaves other errors unchanged", () => {
  for (const error of [withCode("EACCES"), new ClipmillError("network", "Offline."), "ENOSPC", null]) {
    expect(explainFullDisk(error)).toBe(error);
  }
});

test("distinguishes the full disk of a database", () => {
  expect(isDatabaseFull(withCode("53100"))).toBe(true);
  expect(isDatabaseFull(withCode("ENOSPC"))).toBe(false);
  expect(isDiskFull(withCode("53100"))).toBe(false);
});

test("reads the free and the total space of a folder's disk in bytes", async () => {
  const { freeBytes, totalBytes } = await readDiskSpace(os.tmpdir());
  expect(totalBytes).toBeGreaterThan(1_000_000);
  expect(freeBytes).toBeLessThanOrEqual(totalBytes);
});

test("rejects for a folder that does not exist", async () => {
  await expect(readDiskSpace("/does/not/exist")).rejects.toMatchObject({ code: "ENOENT" });
});
