import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lockDataDir } from "#database/embedded/lock-data-dir.ts";
import { templatesFolder } from "./temporary-files.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const POLL_MS = 100;

/**
 * Returns a file or folder that `make` has written, cached on disk under a hash of `sources` (globs). Concurrent
 * callers wait for the first, even in other processes.
 */
export async function findTemplate(
  name: string,
  sources: readonly string[],
  make: (target: string) => Promise<void>,
): Promise<string> {
  const target = path.join(templatesFolder(), `clipmill-test-${name}-${digest(sources)}`);
  while (!existsSync(target)) {
    const release = lockIfFree(`${target}.lock`);
    if (!release) {
      await delay(POLL_MS);
      continue;
    }
    try {
      if (existsSync(target)) break;
      // Renamed at the end, so that a kill leaves no partial template.
      const part = `${target}.${randomUUID()}`;
      try {
        await make(part);
        await rename(part, target);
      } finally {
        await rm(part, { recursive: true, force: true });
      }
    } finally {
      release();
    }
  }
  return target;
}

function lockIfFree(folder: string): (() => void) | null {
  try {
    return lockDataDir(folder);
  } catch {
    return null;
  }
}

function digest(sources: readonly string[]): string {
  const sum = createHash("sha256");
  const files = globSync([...sources], { cwd: ROOT }).filter((file) => !file.includes(".test."));
  for (const file of files.toSorted()) sum.update(readFileSync(path.join(ROOT, file)));
  return sum.digest("hex").slice(0, 16);
}
