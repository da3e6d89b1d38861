import { stat } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { ClipmillError } from "#contract/errors.ts";
import type { Quality } from "#contract/jobs/jobs.ts";
import type { Encoder } from "#contract/settings/encoders.ts";
import { launch } from "../launch/launch.ts";
import { deviceArguments, encoderArguments, finishFilter } from "../plan/arguments/encoder-arguments.ts";

export type Encoding = { encoder: Encoder; quality: Quality; threads: number };
export type Cost = { framesPerSecond: number; cpuSeconds: number };

export const COLORS = "format=yuv420p,setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709";

/** Throws ClipmillError "render_failed" with ffmpeg's message. */
export async function encodeClip(
  ffmpeg: string,
  clip: string,
  file: string,
  encoding: Encoding,
): Promise<Cost & { bytes: number }> {
  const cost = await encodeCopies(ffmpeg, clip, encoding, ["-f", "mp4", `file:${file}`]);
  return { ...cost, bytes: (await stat(file)).size };
}

/** One copy per output. Throws like `encodeClip`. */
export async function encodeCopies(
  ffmpeg: string,
  clip: string,
  { encoder, quality, threads }: Encoding,
  ...outputs: readonly (readonly string[])[]
): Promise<Cost> {
  const copies = outputs.map((_, i) => `[copy${i}]`);
  const finish = copies.map((copy, i) => `${copy}${finishFilter(encoder)}[picture${i}]`);
  const graph = [`[0:v:0]${COLORS},split=${outputs.length}${copies.join("")}`, ...finish].join(";");
  const { cost, stderr } = await runForCost(ffmpeg, encoder, [
    ...["-y", ...deviceArguments(encoder), "-i", `file:${clip}`, "-filter_complex", graph],
    ...outputs.flatMap((output, i) => [
      ...["-map", `[picture${i}]`, ...encoderArguments(quality, threads, encoder), ...output],
    ]),
  ]);
  if (cost === null) throw new ClipmillError("render_failed", `ffmpeg failed: ${stderr.trim().split("\n").at(-1)}`);
  return { ...cost, framesPerSecond: cost.framesPerSecond * outputs.length };
}

async function runForCost(
  ffmpeg: string,
  encoder: Encoder,
  args: readonly string[],
): Promise<{ cost: Cost | null; stderr: string }> {
  const { outputs, ended } = launch(ffmpeg, {
    args: ["-nostdin", "-hide_banner", "-nostats", "-benchmark", "-progress", "pipe:1", ...args],
    ...{ encoder, outputs: [1, 2] },
  });
  const [progress, stderr] = await Promise.all([text(outputs[1]!), text(outputs[2]!)]);
  if ((await ended).exitCode !== 0) return { cost: null, stderr };
  const [, user, system, real] = /bench: utime=([\d.]+)s stime=([\d.]+)s rtime=([\d.]+)s/.exec(stderr) ?? [];
  const frames = Number(
    progress
      .match(/^frame=\s*(\d+)/gm)
      ?.at(-1)
      ?.replace(/\D/g, ""),
  );
  return { cost: { framesPerSecond: frames / Number(real), cpuSeconds: Number(user) + Number(system) }, stderr };
}
