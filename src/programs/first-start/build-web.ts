/** Builds the web app when its sources have changed since the last build. */
import { glob, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import { ClipmillError } from "#contract/errors.ts";
import { lockDataDir } from "#database/embedded/lock-data-dir.ts";
import { sha256Of, sha256OfFile } from "#ground/checksum.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
/** Where the built web app is. */
export const WEB_ROOT = path.join(ROOT, "dist/web");
const STAMP = path.join(ROOT, "dist/web-build");
const TURN_MS = 200;
const SOURCES = ["src/web/**/*", "src/contract/**/*", "vite.config.ts", "package-lock.json"];

/**
 * Builds the web app unless the built one is of these very sources; `onBuild` is told before it takes its seconds. Of several
 * programs that start at once, one builds and the others wait for it.
 */
export async function buildWebIfNeeded(onBuild: () => void): Promise<void> {
  const stamp = await stampSources();
  if (await isBuilt(stamp)) return;
  const release = await takeTurn();
  try {
    if (await isBuilt(stamp)) return;
    onBuild();
    const vite = path.join(ROOT, "node_modules/vite/bin/vite.js");
    await execa(process.execPath, [vite, "build", "--logLevel", "warn"], {
      cwd: ROOT,
      stdout: "ignore",
      stderr: "inherit",
    });
    await writeFile(STAMP, stamp);
  } finally {
    release();
  }
}

async function isBuilt(stamp: string): Promise<boolean> {
  return (await readFile(STAMP, "utf8").catch(() => "")) === stamp;
}

/** Waits until no other program builds. Its lock is the operating system's: it goes with a program that is killed. */
async function takeTurn(): Promise<() => void> {
  for (;;) {
    try {
      return lockDataDir(path.dirname(STAMP));
    } catch (error) {
      if (!(error instanceof ClipmillError && error.code === "conflict")) throw error;
      await delay(TURN_MS);
    }
  }
}

/** Of the content, and not of times: those of an image's layers are cut, and a checkout makes new ones. */
async function stampSources(): Promise<string> {
  const found = await Array.fromAsync(glob(SOURCES, { cwd: ROOT, withFileTypes: true }));
  const files = found
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));
  const digests = await Promise.all(
    files.toSorted().map(async (file) => {
      return `${file} ${await sha256OfFile(path.join(ROOT, file))}`;
    }),
  );
  return sha256Of(digests.join("\n"));
}
