import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

/** Makes an empty folder for a test file, removed when its tests are done. Call it at the top of the file, outside tests. */
export async function makeScratchFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-test-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
