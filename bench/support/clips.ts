/** The clips that figures are measured on: drawn by ffmpeg, the same on every machine. */
import { fileURLToPath } from "node:url";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";

export const FONT = fileURLToPath(import.meta.resolve("@expo-google-fonts/inter/800ExtraBold/Inter_800ExtraBold.ttf"));

const SCROLLING_TEXT = Array.from({ length: 40 }, (_, i) => `Line ${i + 1} of a long text that somebody films`).join(
  "\n",
);

/** Pictures of different kinds, as lavfi graphs of 1080x1920 at 30 frames a second. */
export const KINDS = {
  noise: "gradients=s=540x960:r=30:nb_colors=4:speed=0.02:seed=7,noise=alls=5:allf=t:all_seed=5,scale=1080:1920",
  animation: "testsrc2=s=1080x1920:r=30",
  text: `color=0x202428:s=1080x1920:r=30,drawtext=fontfile=${FONT}:text='${SCROLLING_TEXT}':fontsize=44:fontcolor=white:x=60:y=1600-160*t`,
  motion: [
    "mandelbrot=s=540x960:r=30:maxiter=150:start_scale=1.6:end_scale=0.002:end_pts=450:start_x=-0.743643887:start_y=-0.131825904",
    "noise=alls=2:allf=t:all_seed=5,scale=1080:1920",
  ].join(","),
  dark: "gradients=s=540x960:r=30:nb_colors=3:c0=0x05060a:c1=0x12101c:c2=0x281c18:speed=0.015:seed=3,noise=alls=2:allf=t:all_seed=5,scale=1080:1920",
};

/** Writes a clip with sound as a phone does: H.264 of 1080x1920, 30 frames a second, AAC. */
export async function drawClip(path: string, seconds: number, kind: keyof typeof KINDS = "motion"): Promise<void> {
  await runTestFfmpeg([
    ...["-f", "lavfi", "-i", KINDS[kind]],
    ...["-f", "lavfi", "-i", "aevalsrc=exprs='0.2*sin(2*PI*330*t)|0.2*sin(2*PI*220*t)':s=48000"],
    ...["-t", String(seconds), "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p"],
    ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-c:a", "aac", path],
  ]);
}
