import { arrayBuffer, text } from "node:stream/consumers";
import { findMediaTools, type MediaTools } from "#media/ffmpeg/tools.ts";
import { mediaEnvironment } from "#media/launch/isolation.ts";
import { launch, startProgram } from "#media/launch/launch.ts";

let tested: Promise<MediaTools> | undefined;
let reference: Promise<MediaTools> | undefined;

/** The tools under test. `npm run test:ffmpegs` sets TEST_FFMPEG. */
export function testTools(): Promise<MediaTools> {
  tested ??= findMediaTools({ ffmpegPath: process.env["TEST_FFMPEG"] });
  return tested;
}

/** Make the clips and measure the outputs, so that these do not depend on the ffmpeg under test. */
export function referenceTools(): Promise<MediaTools> {
  reference ??= findMediaTools();
  return reference;
}

export async function runTestFfmpeg(args: readonly string[]): Promise<void> {
  await readTestFfmpeg(["-nostdin", "-v", "error", "-y", ...args]);
}

/** Rejects with ffmpeg's errors. */
export async function readTestFfmpeg(
  args: readonly string[],
): Promise<{ stdout: Uint8Array<ArrayBuffer>; stderr: string }> {
  const { exitCode, ...written } = await tryTestFfmpeg(args);
  if (exitCode !== 0) throw new Error(`ffmpeg ${args.join(" ")} failed (${exitCode}): ${written.stderr}`);
  return written;
}

/** Like `readTestFfmpeg`, for any exit code; null if a signal ended it. */
export async function tryTestFfmpeg(
  args: readonly string[],
): Promise<{ stdout: Uint8Array<ArrayBuffer>; stderr: string; exitCode: number | null }> {
  const { ffmpeg } = await referenceTools();
  // Media programs have no network access, which links need.
  const isLocal = !args.some((argument) => argument.startsWith("http"));
  const program = { file: ffmpeg, args, env: mediaEnvironment(), outputs: [1, 2] };
  const { outputs, ended } = isLocal ? launch(ffmpeg, program) : startProgram(program);
  const [stdout, stderr] = await Promise.all([arrayBuffer(outputs[1]!), text(outputs[2]!)]);
  return { stdout: new Uint8Array(stdout), stderr, exitCode: (await ended).exitCode };
}
