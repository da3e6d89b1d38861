import path from "node:path";
import { expect, test } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import {
  durations,
  framePixels,
  pixelAt,
  readDecodeErrors,
  probeFile,
  soundSamples,
} from "#tests/support/media/measure.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const clip = file("clip.mp4");
// Brightness encodes the frame number, two steps per frame; the only keyframe is at the start.
const counting = "color=black:s=160x120:r=30,format=gbrp,geq=r='2*N':g='2*N':b='2*N'";
await makeClip(clip, { picture: counting, seconds: 4, outputOptions: ["-g", "1000", "-crf", "4"] });
const frameNumberAt = async (video: string, seconds: number) =>
  Math.round(pixelAt(await framePixels(video, seconds), 80, 20).red / 2);

test("single: one clip per variant, spread over the video", async () => {
  const outputs = await renderClip(file("single"), {
    source: clip,
    variants: 3,
    segmentation: { type: "single", segmentSeconds: 1 },
  });
  expect(outputs).toHaveLength(3);
  for (const [i, output] of outputs.entries()) {
    const length = await durations(output.path);
    expect(Math.abs(length.video - 1)).toBeLessThan(0.05);
    expect(Math.abs(length.audio - 1)).toBeLessThan(0.05);
    expect(Math.abs((await frameNumberAt(output.path, 0)) - i * 45)).toBeLessThanOrEqual(1);
    expect(await readDecodeErrors(output.path)).toBe("");
  }
});

test("multiple: consecutive clips contain every frame of the video", async () => {
  const outputs = await renderClip(file("multiple"), {
    source: clip,
    captions: ["Hi"],
    segmentation: { type: "multiple", segmentSeconds: 1.5 },
  });
  const lengths = await Promise.all(outputs.map(({ path }) => durations(path)));
  const packets = await Promise.all(outputs.map(async ({ path }) => (await probeFile(path)).streams[0]!.packets));
  expect(outputs).toHaveLength(3);
  expect(packets).toEqual([45, 45, 30]);
  [1.5, 1.5, 1].forEach((seconds, i) => {
    expect(Math.abs(lengths[i]!.video - seconds)).toBeLessThan(0.05);
    expect(Math.abs(lengths[i]!.audio - seconds)).toBeLessThan(0.05);
    expect(Math.abs(outputs[i]!.durationSeconds - seconds)).toBeLessThan(0.05);
  });
  expect(Math.abs((await frameNumberAt(outputs[1]!.path, 0)) - 45)).toBeLessThanOrEqual(1);
  expect(Math.abs((await frameNumberAt(outputs[2]!.path, 0)) - 90)).toBeLessThanOrEqual(1);
});

test("sound stays in sync in a clip from the middle", async () => {
  const beep = "aevalsrc=exprs='0.5*gte(t,2)*sin(2*PI*1000*t)':s=48000:d=4";
  const inputs = ["-i", clip, "-f", "lavfi", "-i", beep];
  await runTestFfmpeg([...inputs, "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac", file("beep.mp4")]);
  const segmentation = { type: "multiple", segmentSeconds: 1.5 } as const;
  const outputs = await renderClip(file("beep"), { source: file("beep.mp4"), segmentation });
  // The second clip starts at 1.5 s.
  const samples = await soundSamples(outputs[1]!.path);
  const start = samples.findIndex((sample) => Math.abs(sample) > 0.1) / 48_000;
  expect(Math.abs(start - 0.5)).toBeLessThan(0.02);
});
