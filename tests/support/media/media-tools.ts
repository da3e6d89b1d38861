import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { findMediaTools, type MediaTools } from "#media/ffmpeg/tools.ts";

/** So that not every test file reads through the bundled ffmpeg. */
const CHECKSUM_FILE = fileURLToPath(new URL("../../../node_modules/.cache/clipmill-ffmpeg.json", import.meta.url));

let found: Promise<MediaTools> | undefined;

/** The ffmpeg that tests make and measure clips with, searched once. */
export function testTools(): Promise<MediaTools> {
  found ??= findMediaTools({ checksumFile: CHECKSUM_FILE });
  return found;
}

/** Runs the tests' ffmpeg; rejects with its errors when it fails. */
export async function runTestFfmpeg(args: readonly string[]): Promise<void> {
  const { ffmpeg } = await testTools();
  await execa(ffmpeg, ["-nostdin", "-v", "error", "-y", ...args]);
}
