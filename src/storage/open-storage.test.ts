import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startS3Server } from "#tests/support/twins/s3-server.ts";
import { openStorage } from "./open-storage.ts";

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "clipmill-open-storage-"));
  await writeFile(path.join(dataDir, "made"), "a file");
});
afterEach(async () => await rm(dataDir, { recursive: true }));

it("stores files in the data folder if no bucket is set", async () => {
  const storage = await openStorage(undefined, dataDir);
  await storage.put("jobs/1", path.join(dataDir, "made"));
  expect(await readdir(path.join(dataDir, "files/jobs"))).toEqual(["1"]);
});

it("stores files in the bucket under its prefix, with local copies in the data folder's cache", async () => {
  await using stack = new AsyncDisposableStack();
  const server = await startS3Server();
  stack.defer(() => server.close());
  const storage = await openStorage(server.location, dataDir);
  await storage.put("jobs/1", path.join(dataDir, "made"));
  expect(await server.list("jobs")).toEqual(["1"]);
  const copy = await storage.toLocalFile("jobs/1");
  expect(path.dirname(path.dirname(copy))).toBe(path.join(dataDir, "cache/storage"));
  expect(await readdir(dataDir)).toEqual(["cache"]);
});
