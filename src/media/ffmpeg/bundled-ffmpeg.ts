import { accessSync, chmodSync, constants } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { sha256OfFile } from "#ground/checksum.ts";
import type { Ffmpeg } from "./choose-ffmpeg.ts";
import { describeFfmpeg, type Listings, listFeatures } from "./inspect-ffmpeg.ts";

/** SHA-256 of the binaries in @ffmpeg-binary/* 7.0.0. Update it with the version in package.json. */
const CHECKSUMS: Partial<Record<string, string>> = {
  "linux-x64": "b03cae467e4e9881e7dfa29f27e9a9a9cdb3cb170cced74e51d86ac9ff7586ed",
};
type Remembered = { state: string; listings: Listings };

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

/**
 * Returns what `describeFfmpeg` returns; null if the file's SHA-256 is not this release's. Otherwise reads and runs the
 * file again only if its size or modification time has changed, which saves a tenth of a start's CPU time.
 */
export async function inspectBundledFfmpeg(
  file: string,
  expected = CHECKSUMS[`${process.platform}-${process.arch}`],
  rememberedFile = cacheFor(file),
): Promise<Ffmpeg | string | null> {
  const { size, mtimeMs } = await stat(file);
  const state = JSON.stringify({ file, size, mtimeMs, sha256: expected });
  const remembered = await readRemembered(rememberedFile);
  if (remembered?.state === state) return describeFfmpeg(file, "bundled", remembered.listings);
  if ((await sha256OfFile(file)) !== expected) return null;
  const listings = await listFeatures(file);
  if (listings !== null) await remember(rememberedFile, { state, listings });
  return describeFfmpeg(file, "bundled", listings);
}

/** Whoever can write in node_modules can also replace the program. */
function cacheFor(file: string): string {
  return path.resolve(path.dirname(file), "../../.cache/bundled-ffmpeg.json");
}

/** Null if there is none, or another program is writing it. */
async function readRemembered(rememberedFile: string): Promise<Remembered | null> {
  try {
    return JSON.parse(await readFile(rememberedFile, "utf8")) as Remembered;
  } catch {
    return null;
  }
}

/** If the folder is read-only, the next start reads and runs the file again. */
async function remember(rememberedFile: string, remembered: Remembered): Promise<void> {
  await mkdir(path.dirname(rememberedFile), { recursive: true }).catch(() => {});
  await writeFile(rememberedFile, JSON.stringify(remembered), { mode: 0o600 }).catch(() => {});
}
