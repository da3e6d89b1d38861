import { mkdtemp, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { ClipmillError } from "#contract/errors.ts";
import { QUALITIES, type Quality } from "#contract/jobs/jobs.ts";
import type { Encoder } from "#contract/settings/system.ts";
import { findBundledFfmpeg } from "../ffmpeg/bundled-ffmpeg.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";
import { launch } from "../launch/launch.ts";
import { deviceArguments, encoderArguments, finishFilter } from "../plan/arguments/encoder-arguments.ts";

export const COPIES = 8;

type Figures = Cost & { bytes: number; score: number };
export type Comparison = { clip: string; quality: Quality; encoder: Figures; software: Figures };
type TrialReport = {
  onCompared: (comparison: Comparison, score: Score["name"]) => void;
  /** In frames per second, of all copies together. */
  onCopies: (speeds: { encoder: number; software: number }) => void;
};

/** `files` replace the generated clips. Throws ClipmillError "render_failed" with ffmpeg's message. */
export async function tryEncoder(
  tools: MediaTools,
  encoder: Encoder,
  { seconds, files, qualities = QUALITIES }: { seconds: number; files: string[]; qualities?: readonly Quality[] },
  { onCompared, onCopies }: TrialReport,
): Promise<void> {
  const { ffmpeg } = tools;
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-encoder-"));
  try {
    const clips = files.length > 0 ? new Map(files.map((file) => [path.basename(file), file])) : null;
    const sources = clips ?? (await drawClips(tools, folder, seconds));
    const score = await chooseScore(ffmpeg);
    const threads = os.availableParallelism();
    const encoded = path.join(folder, "encoded.mp4");
    const measure = async (name: Encoder, clip: string, quality: Quality): Promise<Figures> => {
      const cost = await encodeClip(ffmpeg, clip, encoded, { encoder: name, quality, threads });
      return { ...cost, score: await scoreClip(score, encoded, clip) };
    };
    for (const [clip, file] of sources) {
      for (const quality of qualities) {
        const software = await measure("software", file, quality);
        onCompared({ clip, quality, software, encoder: await measure(encoder, file, quality) }, score.name);
      }
    }
    const [first] = sources.values();
    const speedOfCopies = async (name: Encoder): Promise<number> => {
      const encoding = { encoder: name, quality: "standard", threads: Math.ceil(threads / COPIES) } as const;
      const discarded = Array.from({ length: COPIES }, () => ["-f", "null", "-"]);
      return (await encodeCopies(ffmpeg, first!, encoding, ...discarded)).framesPerSecond;
    };
    onCopies({ software: await speedOfCopies("software"), encoder: await speedOfCopies(encoder) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Clips like a phone's, at a high bit rate. */
async function drawClips(tools: MediaTools, folder: string, seconds: number): Promise<Map<string, string>> {
  const clips = new Map<string, string>();
  for (const [name, picture] of Object.entries(TRIAL_PICTURES)) {
    const file = path.join(folder, `${name}.mp4`);
    const source = ["-f", "lavfi", "-i", picture, "-t", String(seconds)];
    const output = ["-c:v", "libx264", "-preset", "superfast", "-crf", "14", "-pix_fmt", "yuv420p", `file:${file}`];
    await runFfmpeg(tools, { step: `trial ${name}`, args: [...source, ...output] });
    clips.set(name, file);
  }
  return clips;
}

/** Hard to encode in different ways: 1080x1920 at 30 frames per second, by lavfi. */
export const TRIAL_PICTURES = {
  motion: [
    "mandelbrot=s=540x960:r=30:maxiter=150:start_scale=1.6:end_scale=0.002:end_pts=450:start_x=-0.743643887:start_y=-0.131825904",
    "noise=alls=2:allf=t:all_seed=5,scale=1080:1920",
  ].join(","),
  animation: "testsrc2=s=1080x1920:r=30",
  dark: "gradients=s=540x960:r=30:nb_colors=3:c0=0x05060a:c1=0x12101c:c2=0x281c18:speed=0.015:seed=3,noise=alls=2:allf=t:all_seed=5,scale=1080:1920",
};

/** SSIM, a worse measure, is for ffmpeg without libvmaf. */
type Score = { name: "VMAF" | "SSIM"; ffmpeg: string };

const FILTERS = { VMAF: "libvmaf=n_subsample=5", SSIM: "ssim" };
const RESULTS = { VMAF: /VMAF score: ([\d.]+)/, SSIM: /SSIM .*All:([\d.]+)/ };

/** Prefers VMAF, computed by `ffmpeg` or the bundled one. */
async function chooseScore(ffmpeg: string): Promise<Score> {
  for (const file of [ffmpeg, findBundledFfmpeg()]) {
    if (file !== null && / libvmaf /.test((await run(file, ["-filters"])).stdout))
      return { name: "VMAF", ffmpeg: file };
  }
  return { name: "SSIM", ffmpeg };
}

/** Returns up to 100. Throws ClipmillError "render_failed" if the files do not match. */
async function scoreClip({ name, ffmpeg }: Score, file: string, clip: string): Promise<number> {
  // Pairs frames by number: containers round times differently. The color tags prevent a conversion of an untagged
  // clip.
  const byNumber = `settb=1/30,setpts=N,${COLORS}`;
  const graph = `[0:v:0]${byNumber}[encoded];[1:v:0]${byNumber}[clip];[encoded][clip]${FILTERS[name]}`;
  const args = ["-i", `file:${file}`, "-i", `file:${clip}`, "-lavfi", graph, "-f", "null", "-"];
  const { stderr } = await run(ffmpeg, args);
  const found = RESULTS[name].exec(stderr)?.[1];
  if (found === undefined) throw new ClipmillError("render_failed", `ffmpeg computed no ${name}.`);
  return Number(found) * (name === "SSIM" ? 100 : 1);
}

async function run(ffmpeg: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const { outputs, ended } = launch(ffmpeg, { args: ["-nostdin", "-hide_banner", ...args], outputs: [1, 2] });
  const [stdout, stderr] = await Promise.all([text(outputs[1]!), text(outputs[2]!)]);
  await ended;
  return { stdout, stderr };
}

type Encoding = { encoder: Encoder; quality: Quality; threads: number };
type Cost = { framesPerSecond: number; cpuSeconds: number };

const COLORS = "format=yuv420p,setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709";

/** Throws ClipmillError "render_failed" with ffmpeg's message. */
async function encodeClip(
  ffmpeg: string,
  clip: string,
  file: string,
  encoding: Encoding,
): Promise<Cost & { bytes: number }> {
  const cost = await encodeCopies(ffmpeg, clip, encoding, ["-f", "mp4", `file:${file}`]);
  return { ...cost, bytes: (await stat(file)).size };
}

/** One copy per output. Throws like `encodeClip`. */
async function encodeCopies(
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
