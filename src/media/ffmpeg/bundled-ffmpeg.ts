import { accessSync, chmodSync, constants } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { sha256OfFile } from "#ground/checksum.ts";

/** SHA-256 of the binaries in @ffmpeg-binary/* 7.0.0. Update it with the version in package.json. */
const CHECKSUMS: Partial<Record<string, string>> = {
  "linux-x64": "b03cae467e4e9881e7dfa29f27e9a9a9cdb3cb170cced74e51d86ac9ff7586ed",
};
/** Whoever can write here can also replace the program. */
const ACCEPTED_FILE = path.resolve(import.meta.dirname, "../../../node_modules/.cache/accepted-ffmpeg.json");

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

/** Reads an accepted file again only if its size or modification time has changed. */
export async function matchesRelease(
  file: string,
  expected = CHECKSUMS[`${process.platform}-${process.arch}`],
  acceptedFile = ACCEPTED_FILE,
): Promise<boolean> {
  const { size, mtimeMs } = await stat(file);
  const state = JSON.stringify({ file, size, mtimeMs, sha256: expected });
  if ((await readFile(acceptedFile, "utf8").catch(() => null)) === state) return true;
  if ((await sha256OfFile(file)) !== expected) return false;
  await remember(acceptedFile, state);
  return true;
}

/** If the folder is read-only, the next start reads the file again. */
async function remember(acceptedFile: string, state: string): Promise<void> {
  await mkdir(path.dirname(acceptedFile), { recursive: true }).catch(() => {});
  await writeFile(acceptedFile, state, { mode: 0o600 }).catch(() => {});
}
