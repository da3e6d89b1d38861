import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

/** Removed after the file's tests. Call it at the top level of the file. */
export async function makeScratchFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-test-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
