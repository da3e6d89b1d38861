import { fileURLToPath } from "node:url";
import { TRIAL_PICTURES } from "#media/encoder-trial/try-encoder.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";

export const FONT = fileURLToPath(import.meta.resolve("@expo-google-fonts/inter/800ExtraBold/Inter_800ExtraBold.ttf"));

const SCROLLING_TEXT = Array.from({ length: 40 }, (_, i) => `Line ${i + 1} of a long text that somebody films`).join(
  "\n",
);

/** 1080x1920 at 30 frames per second, identical on every machine. */
export const KINDS = {
  noise: "gradients=s=540x960:r=30:nb_colors=4:speed=0.02:seed=7,noise=alls=5:allf=t:all_seed=5,scale=1080:1920",
  ...TRIAL_PICTURES,
  text: `color=0x202428:s=1080x1920:r=30,drawtext=fontfile=${FONT}:text='${SCROLLING_TEXT}':fontsize=44:fontcolor=white:x=60:y=1600-160*t`,
};

/** Like `drawClip`, but with a recent phone's constant 8 Mbit/s. */
export async function drawPhoneClip(path: string, seconds: number): Promise<void> {
  await runTestFfmpeg([
    ...["-f", "lavfi", "-i", KINDS.motion, "-f", "lavfi", "-i", "sine=frequency=330:sample_rate=48000"],
    ...["-t", String(seconds), "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"],
    ...["-b:v", "7900k", "-minrate", "7900k", "-maxrate", "7900k", "-bufsize", "7900k"],
    ...["-x264-params", "nal-hrd=cbr", "-c:a", "aac", path],
  ]);
}

/** Phone-like: H.264, 1080x1920, 30 frames per second, AAC. */
export async function drawClip(path: string, seconds: number, kind: keyof typeof KINDS = "motion"): Promise<void> {
  await runTestFfmpeg([
    ...["-f", "lavfi", "-i", KINDS[kind]],
    ...["-f", "lavfi", "-i", "aevalsrc=exprs='0.2*sin(2*PI*330*t)|0.2*sin(2*PI*220*t)':s=48000"],
    ...["-t", String(seconds), "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p"],
    ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-c:a", "aac", path],
  ]);
}

/** Repeats a clip of usual footage, because drawing it takes longer than encoding it. */
export async function drawLongClip(path: string, seconds: number, size = "1080x1920"): Promise<void> {
  const start = `${path}.start.mp4`;
  await runTestFfmpeg([
    ...["-f", "lavfi", "-i", `${KINDS.motion},scale=${size.replace("x", ":")}`, "-f", "lavfi", "-i", "sine=f=300"],
    ...[
      "-t",
      "15",
      "-c:v",
      "libx264",
      "-preset",
      "veryfast",
      "-crf",
      "20",
      "-pix_fmt",
      "yuv420p",
      "-c:a",
      "aac",
      start,
    ],
  ]);
  await runTestFfmpeg(["-stream_loop", "-1", "-i", start, "-t", String(seconds), "-c", "copy", path]);
}
