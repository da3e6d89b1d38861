import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { findMediaTools, type MediaTools } from "#media/ffmpeg/tools.ts";

/** Caches the checksum of the bundled ffmpeg for all test files. */
const CHECKSUM_FILE = fileURLToPath(new URL("../../../node_modules/.cache/clipmill-ffmpeg.json", import.meta.url));

let found: Promise<MediaTools> | undefined;

/** Returns the tests' ffmpeg, searched once per process. */
export function testTools(): Promise<MediaTools> {
  found ??= findMediaTools({ checksumFile: CHECKSUM_FILE });
  return found;
}

/** Runs the tests' ffmpeg. Rejects with its errors if it fails. */
export async function runTestFfmpeg(args: readonly string[]): Promise<void> {
  const { ffmpeg } = await testTools();
  await execa(ffmpeg, ["-nostdin", "-v", "error", "-y", ...args]);
}
