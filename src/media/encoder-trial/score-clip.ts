import { text } from "node:stream/consumers";
import { ClipmillError } from "#contract/errors.ts";
import { findBundledFfmpeg } from "../ffmpeg/bundled-ffmpeg.ts";
import { launch } from "../launch/launch.ts";
import { COLORS } from "./encode-clip.ts";

/** SSIM, a worse measure, is for ffmpeg without libvmaf. */
export type Score = { name: "VMAF" | "SSIM"; ffmpeg: string };

const FILTERS = { VMAF: "libvmaf=n_subsample=5", SSIM: "ssim" };
const RESULTS = { VMAF: /VMAF score: ([\d.]+)/, SSIM: /SSIM .*All:([\d.]+)/ };

/** Prefers VMAF, computed by `ffmpeg` or the bundled one. */
export async function chooseScore(ffmpeg: string): Promise<Score> {
  for (const file of [ffmpeg, findBundledFfmpeg()]) {
    if (file !== null && / libvmaf /.test((await run(file, ["-filters"])).stdout))
      return { name: "VMAF", ffmpeg: file };
  }
  return { name: "SSIM", ffmpeg };
}

/** Returns up to 100. Throws ClipmillError "render_failed" if the files do not match. */
export async function scoreClip({ name, ffmpeg }: Score, file: string, clip: string): Promise<number> {
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
