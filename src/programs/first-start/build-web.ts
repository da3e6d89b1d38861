import { existsSync } from "node:fs";
import { glob } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ClipmillError } from "#contract/errors.ts";
import { lockDataDir } from "#database/embedded/lock-data-dir.ts";
import { isUnchanged, stampFiles, writeStamp } from "./stamp-files.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
export const WEB_ROOT = path.join(ROOT, "dist/web");
const VITE = path.join(ROOT, "node_modules/vite/bin/vite.js");
const STAMP = path.join(ROOT, "dist/web-build");
const LOCK_RETRY_MS = 200;
/** In order: the second adds to the output of the first. */
const CONFIGS = ["vite.config.ts", "vite.guest.config.ts"];
const SOURCES = ["src/web/**/*", "src/contract/**/*", ...CONFIGS, "package-lock.json"];

/**
 * Calls `onBuild` before a build, which takes seconds. Of programs starting together, one builds. Throws without the
 * build tools (development packages).
 */
export async function buildWebIfNeeded(onBuild: () => void): Promise<void> {
  const sources = await findSources();
  if (await isUnchanged(STAMP, ROOT, sources)) return;
  const release = await waitForLock();
  try {
    if (await isUnchanged(STAMP, ROOT, sources)) return;
    if (!existsSync(VITE)) {
      throw new ClipmillError(
        "invalid",
        "The web app is not built, and its build tools are not installed. Run `npm ci && npm run build`.",
      );
    }
    onBuild();
    // Taken before the build: a source that changes during it needs another build.
    const stamp = await stampFiles(ROOT, sources);
    const { execa } = await import("execa");
    for (const config of CONFIGS) {
      await execa(process.execPath, [VITE, "build", "--config", config, "--logLevel", "warn"], {
        cwd: ROOT,
        stdout: "ignore",
        stderr: "inherit",
      });
    }
    await writeStamp(STAMP, stamp);
  } finally {
    release();
  }
}

async function waitForLock(): Promise<() => void> {
  for (;;) {
    try {
      return lockDataDir(path.dirname(STAMP));
    } catch (error) {
      if (!(error instanceof ClipmillError && error.code === "conflict")) throw error;
      await delay(LOCK_RETRY_MS);
    }
  }
}

/** Relative to `ROOT`. */
async function findSources(): Promise<string[]> {
  const found = await Array.fromAsync(glob(SOURCES, { cwd: ROOT, withFileTypes: true }));
  const files = found.filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name));
  return files.map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name))).toSorted();
}
