import path from "node:path";
import { expect, test } from "vitest";
import { type GpuBehavior, makeGpuFfmpeg, openGpuTools } from "#tests/support/media/faulty/gpu-ffmpeg.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { durations, probeFile, readDecodeErrors } from "#tests/support/media/measure.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openStreamCache } from "./stream-cache.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const clip = file("clip.mp4");
const SECONDS = 2;
await makeClip(clip, { width: 160, height: 160, seconds: SECONDS });
const REQUEST = { source: clip, watermark: "Mill" };
const gpu = await makeGpuFfmpeg(folder);

async function expectComplete(output: string): Promise<void> {
  expect(await readDecodeErrors(output)).toBe("");
  const { streams } = await probeFile(output);
  expect(streams[0]).toMatchObject({ codec: "h264", packets: SECONDS * 30 });
  expect((await durations(output)).video).toBeCloseTo(SECONDS, 1);
}

test("a hardware encoder encodes each picture in one piece, and segments from forced keyframes", async () => {
  await gpu.behave("works");
  const { tools, rejections } = await openGpuTools(gpu);
  const before = await gpu.countRuns();
  const settings = { caption_start_seconds: 0.5, caption_end_seconds: 1.5 };
  const captions = ["MMM", "WWW"];
  const shown = await renderClip(file("shown"), { source: clip, captions, variants: 2, settings, tools });
  for (const output of shown) await expectComplete(output.path);
  const segmentation = { type: "multiple", segmentSeconds: 1 } as const;
  const parts = await renderClip(file("parts"), { ...REQUEST, segmentation, tools });
  expect(parts).toHaveLength(2);
  for (const part of parts) expect((await probeFile(part.path)).streams[0]).toMatchObject({ packets: 30 });
  expect(await gpu.countRuns()).toBe(before + 2);
  expect(rejections).toEqual([]);
});

const FAILURES: [GpuBehavior, RegExp][] = [
  ["failsAtOnce", /libcuda/],
  ["breaksOff", /device lost/],
  ["writesGarbage", /cannot be read/],
];

test.each(FAILURES)("if the encoder %s, the video is made in software, and so are the next ones", async (how, why) => {
  await gpu.behave("works");
  const { tools, rejections } = await openGpuTools(gpu);
  await gpu.behave(how);
  const before = await gpu.countRuns();
  for (const name of ["first", "next"]) {
    const [output] = await renderClip(file(`${how}-${name}`), { ...REQUEST, tools });
    await expectComplete(output!.path);
    expect(output!.warnings.get("0")).toEqual([]);
  }
  expect(rejections).toEqual([expect.stringMatching(why)]);
  expect(tools.encoder!.state()).toEqual({ inUse: "software", wanted: "h264_nvenc", refusal: rejections[0] });
  // The first video, and the check after it.
  expect(await gpu.countRuns()).toBe(before + 2);
});

test("if the encoder hangs in a video, the video is made in software", async () => {
  await gpu.behave("works");
  const { tools } = await openGpuTools(gpu);
  await gpu.behave("hangs");
  // The real check would wait for 15 s; this one passes.
  const encoder = { ...tools.encoder!, noteFailure: () => Promise.resolve() };
  const impatient = { ...tools, encoder, stallSeconds: 2 };
  const [output] = await renderClip(file("hangs"), { ...REQUEST, tools: impatient });
  await expectComplete(output!.path);
  expect(tools.encoder!.state().inUse).toBe("h264_nvenc");
});

test("an encoder that was only busy is used again for the next video", async () => {
  await gpu.behave("works");
  const { tools, rejections } = await openGpuTools(gpu);
  await gpu.behave("failsOnce");
  const [output] = await renderClip(file("busy"), { ...REQUEST, tools });
  await expectComplete(output!.path);
  const before = await gpu.countRuns();
  await renderClip(file("idle"), { ...REQUEST, tools });
  expect(await gpu.countRuns()).toBe(before + 1);
  expect(rejections).toEqual([]);
});

test("streams of one encoder are not taken for those of another", async () => {
  await gpu.behave("works");
  const { tools } = await openGpuTools(gpu);
  const streamCache = await openStreamCache(file("streams"), 1024 ** 3);
  const before = await gpu.countRuns();
  const keys = new Set<string>();
  const { encoder, ...software } = tools;
  for (const [i, used] of [software, tools, software, tools].entries()) {
    const [output] = await renderClip(file(`cache-${i}`), { ...REQUEST, tools: used, streamCache });
    keys.add(output!.contentKey);
  }
  expect(encoder!.state().inUse).toBe("h264_nvenc");
  expect(keys.size).toBe(2);
  // The fourth render finds the stream of the second.
  expect(await gpu.countRuns()).toBe(before + 1);
});

test("a picture that the encoder may reject is encoded in software from the start", async () => {
  await gpu.behave("works");
  const { tools } = await openGpuTools(gpu);
  const before = await gpu.countRuns();
  const small = file("small.mp4");
  await makeClip(small, { width: 160, height: 90, seconds: 1 });
  const [output] = await renderClip(file("small"), { ...REQUEST, source: small, tools });
  expect(await readDecodeErrors(output!.path)).toBe("");
  expect(await gpu.countRuns()).toBe(before);
});
