import { accessSync, chmodSync, constants } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { sha256OfFile } from "#ground/checksum.ts";

/** SHA-256 of the binaries in @ffmpeg-binary/* 7.0.0. Update it with the version in package.json. */
const CHECKSUMS: Partial<Record<string, string>> = {
  "linux-x64": "b03cae467e4e9881e7dfa29f27e9a9a9cdb3cb170cced74e51d86ac9ff7586ed",
};

export function findBundledFfmpeg(): string | null {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`@ffmpeg-binary/${process.platform}-${process.arch}/package.json`);
    const file = path.join(path.dirname(manifest), process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg");
    makeExecutable(file);
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    return null;
  }
}

function makeExecutable(file: string): void {
  try {
    chmodSync(file, 0o755);
  } catch {
    // Not permitted; the file may be executable already.
  }
}

/** `cacheFile` caches the checksum by size and modification time; null hashes it each time. */
export async function matchesRelease(
  file: string,
  cacheFile: string | null,
  expected = CHECKSUMS[`${process.platform}-${process.arch}`],
): Promise<boolean> {
  const { size, mtimeMs } = await stat(file);
  const state = { file, size, mtimeMs };
  const known = cacheFile === null ? null : await readCache(cacheFile);
  if (known !== null && JSON.stringify({ ...known, sha256: undefined }) === JSON.stringify(state)) {
    return known.sha256 === expected;
  }
  const sha256 = await sha256OfFile(file);
  if (cacheFile !== null) await writeCache(cacheFile, { ...state, sha256 });
  return sha256 === expected;
}

type Cached = { file: string; size: number; mtimeMs: number; sha256: string };

async function readCache(cacheFile: string): Promise<Cached | null> {
  try {
    return JSON.parse(await readFile(cacheFile, "utf8")) as Cached | null;
  } catch {
    return null;
  }
}

/** Ignores a missing or read-only data directory; the next start hashes again. */
async function writeCache(cacheFile: string, cached: Cached): Promise<void> {
  await mkdir(path.dirname(cacheFile), { mode: 0o700 }).catch(() => {});
  await writeFile(cacheFile, JSON.stringify(cached), { mode: 0o600 }).catch(() => {});
}
