import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
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

/** An ffmpeg that adds its arguments to `log`, a line per run. */
export async function makeLoggingFfmpeg(folder: string): Promise<{
  ffmpeg: string;
  log: string;
  /** Counts the pictures that are encoded meanwhile. */
  countEncodes: (work: () => Promise<unknown>) => Promise<number>;
}> {
  const log = path.join(folder, "runs.log");
  const ffmpeg = path.join(folder, "logging-ffmpeg");
  const { ffmpeg: real } = await testTools();
  await writeFile(ffmpeg, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nexec '${real}' "$@"\n`);
  await chmod(ffmpeg, 0o755);
  return {
    ffmpeg,
    log,
    async countEncodes(work) {
      await writeFile(log, "");
      await work();
      return (await readFile(log, "utf8")).split("-c:v libx264").length - 1;
    },
  };
}
