/** Builds the web app when its sources have changed since the last build. */
import { createHash } from "node:crypto";
import { glob, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";

const ROOT = path.resolve(import.meta.dirname, "..");
/** Where the built web app is. */
export const WEB_ROOT = path.join(ROOT, "dist/web");
const STAMP = path.join(ROOT, "dist/web-build");
const SOURCES = ["src/web/**/*", "src/contract/**/*", "vite.config.ts", "package-lock.json"];

/** Builds the web app unless the built one is of these very sources; `onBuild` is told before it takes its seconds. */
export async function buildWebIfNeeded(onBuild: () => void): Promise<void> {
  const stamp = await stampSources();
  if ((await readFile(STAMP, "utf8").catch(() => "")) === stamp) return;
  onBuild();
  const vite = path.join(ROOT, "node_modules/vite/bin/vite.js");
  await execa(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: ROOT,
    stdout: "ignore",
    stderr: "inherit",
  });
  await writeFile(STAMP, stamp);
}

async function stampSources(): Promise<string> {
  const files = await Array.fromAsync(glob(SOURCES, { cwd: ROOT }));
  const facts = await Promise.all(
    files.toSorted().map(async (file) => {
      const { size, mtimeMs } = await stat(path.join(ROOT, file));
      return `${file} ${size} ${mtimeMs}`;
    }),
  );
  return createHash("sha256").update(facts.join("\n")).digest("hex");
}
