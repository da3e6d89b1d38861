import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lockDataDir } from "./lock-data-dir.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-lock-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("can be held by one process at a time", () => {
  const dataDir = path.join(folder, "data");
  const release = lockDataDir(dataDir);
  expect(() => lockDataDir(dataDir)).toThrow(`Another Clipmill is already running on ${dataDir};`);
  release();
  lockDataDir(dataDir)();
});

it.each([
  ["under a file", async (dataDir: string) => writeFile(path.dirname(dataDir), "")],
  [
    "where the lock cannot be a file",
    async (dataDir: string) => mkdir(path.join(dataDir, "lock"), { recursive: true }),
  ],
])("reports an unwritable folder instead of blaming another process: %s", async (name, prepare) => {
  const dataDir = path.join(folder, name, "data");
  await prepare(dataDir);
  expect(() => lockDataDir(dataDir)).toThrow(`The folder ${dataDir} is not writable; set DATA_DIR to another folder.`);
});
