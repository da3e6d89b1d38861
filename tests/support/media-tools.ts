import { execa } from "execa";
import { findMediaTools, type MediaTools } from "#media/tools.ts";

let found: Promise<MediaTools> | undefined;

/** The ffmpeg and ffprobe that tests make and measure clips with, searched once. */
export function testTools(): Promise<MediaTools> {
  found ??= findMediaTools({});
  return found;
}

/** Runs the tests' ffmpeg; rejects with its errors when it fails. */
export async function runTestFfmpeg(args: readonly string[]): Promise<void> {
  const { ffmpeg } = await testTools();
  await execa(ffmpeg, ["-nostdin", "-v", "error", "-y", ...args]);
}
