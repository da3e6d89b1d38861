import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openEncoder } from "#media/ffmpeg/encoder-in-use.ts";
import { readMp4Summary } from "#media/conformance/mp4-summary.ts";
import { makeLoggingFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import {
  boxOfPixels,
  durations,
  type Frame,
  pixelAt,
  probeFile,
  readDecodeErrors,
} from "#tests/support/media/measure.ts";
import { readAllFrames } from "#tests/support/media/read-all-frames.ts";
import { type ClipRequest, renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openStreamCache } from "./stream-cache.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const { ffmpeg, log } = await makeLoggingFfmpeg(folder);
const streamCache = await openStreamCache(file("streams"), 1024 ** 3);

// Brightness encodes the frame number, three steps per frame.
const level = "16+3*mod(N,60)";
const counting = `color=black:s=160x160:r=30000/1001,format=gbrp,geq=r='${level}':g='${level}':b='${level}'`;
const video = file("video.mp4");
const intro = file("intro.mov");
await makeClip(video, { picture: counting, seconds: 4, toneHz: 440, outputOptions: ["-g", "1000", "-crf", "4"] });
await makeClip(intro, { color: "red", width: 320, height: 180, framesPerSecond: 25, seconds: 1.6, toneHz: 1_000 });
const [INTRO, VIDEO] = [48, 120];

const isRed = (frame: Frame) => pixelAt(frame, 80, 80).red > 180 && pixelAt(frame, 80, 80).blue < 60;
const errorAt = (frame: Frame, i: number) => Math.abs(pixelAt(frame, 80, 10).red - 16 - 3 * (i % 60));
const whiteOf = (frame: Frame) =>
  boxOfPixels(frame, ({ red, green, blue }) => Math.min(red, green, blue) > 225)?.count ?? 0;

function render(name: string, request: Partial<ClipRequest>) {
  const settings = { codec: "hevc", ...request.settings } as const;
  return renderClip(file(name), { source: video, ffmpeg, streamCache, ...request, settings });
}

async function expectHevc(output: string): Promise<void> {
  expect(await readDecodeErrors(output)).toBe("");
  expect((await probeFile(output)).streams[0]).toMatchObject({ codec: "hevc", pixelFormat: "yuv420p" });
  const bytes = await readFile(output);
  // Apple's players reject "hev1".
  expect([bytes.includes("hvc1"), bytes.includes("hev1"), bytes.includes("H.265/HEVC codec")]).toEqual([
    true,
    false,
    false,
  ]);
  expect((await readMp4Summary(output))?.isIndexInFront).toBe(true);
}

test("stretches of HEVC are joined without a frame missing or twice, and encoded once", async () => {
  const settings = { caption_start_seconds: 1, caption_end_seconds: 2.5 };
  const outputs = await render("joined", { intro, captions: ["MMM", "WWW"], variants: 2, settings });
  // The intro, what is before and after the captions, and two captions.
  expect((await readFile(log, "utf8")).split("-c:v libx265").length - 1).toBe(5);
  expect(outputs).toHaveLength(2);
  for (const { path: output } of outputs) {
    await expectHevc(output);
    const frames = await readAllFrames(output);
    expect(frames.map((frame) => (isRed(frame) ? "i" : "v")).join("")).toBe("i".repeat(INTRO) + "v".repeat(VIDEO));
    expect(Math.max(...frames.slice(INTRO).map(errorAt))).toBeLessThan(2.5);
    const captioned = frames.flatMap((frame, i) => (whiteOf(frame) > 60 ? [i - INTRO] : []));
    expect([captioned[0], captioned.at(-1), captioned.length]).toEqual([30, 74, 45]);
    const length = await durations(output);
    expect(Math.abs(length.audio - length.video)).toBeLessThan(0.02);
  }
});

test("a picture that would be copied is encoded, and its streams are apart from those of H.264", async () => {
  const [hevc] = await render("whole", {});
  await expectHevc(hevc!.path);
  expect(await readAllFrames(hevc!.path)).toHaveLength(VIDEO);
  const captions = ["One codec"];
  const keys = new Set<string>();
  for (const codec of ["h264", "hevc"] as const) {
    const [output] = await render(codec, { captions, settings: { codec } });
    expect((await probeFile(output!.path)).streams[0]).toMatchObject({ codec });
    keys.add(output!.contentKey);
  }
  expect(keys.size).toBe(2);
});

test("keyframes are as close as a platform requires, segments start with one, and a file fits its limit", async () => {
  const [short] = await render("shorts", { settings: { platform: "shorts", format: "source" }, captions: ["S"] });
  await expectHevc(short!.path);
  expect((await readMp4Summary(short!.path))!.video.maxKeyframeSeconds).toBeLessThanOrEqual(0.5006);
  const segmentation = { type: "multiple", segmentSeconds: 1 } as const;
  const segments = await render("segments", { segmentation, captions: ["S"] });
  const counts = await Promise.all(segments.map(async ({ path: segment }) => (await readAllFrames(segment)).length));
  expect(counts).toEqual([30, 30, 30, 30]);
  const noisy = file("noisy.mp4");
  await makeClip(noisy, { picture: "testsrc2=s=160x160:r=30,noise=alls=40:allf=t", seconds: 1 });
  const [free] = await render("free", { source: noisy });
  const maxBytes = Math.round((await stat(free!.path)).size / 2);
  const [small] = await render("small", { source: noisy, cut: (request) => ({ ...request, maxBytes }) });
  expect((await stat(small!.path)).size).toBeLessThanOrEqual(maxBytes);
  expect(await readAllFrames(small!.path)).toHaveLength(30);
});

test("a GPU that cannot encode HEVC is used for H.264 only, and an ffmpeg without HEVC is a sentence", async () => {
  const tools = await testTools();
  const refusals: string[] = [];
  const hevcEncoder = await openEncoder("h264_nvenc", {
    // As long as the driver passes the check.
    check: () => Promise.resolve(refusals.length === 0 ? null : "No HEVC"),
    onRejected: () => {},
    onFailure: (reason) => refusals.push(reason),
  });
  const big = file("big.mp4");
  await makeClip(big, { width: 160, height: 160, seconds: 1 });
  const [output] = await render("gpu", { source: big, watermark: "Mill", tools: { ...tools, hevcEncoder } });
  await expectHevc(output!.path);
  expect(refusals).toHaveLength(1);
  expect(hevcEncoder.state()).toMatchObject({ inUse: "software", wanted: "h264_nvenc" });
  await expect(render("without", { captions: ["X"], tools: { ...tools, encodesHevc: false } })).rejects.toMatchObject({
    code: "no_tool",
    message: "This worker's ffmpeg cannot encode HEVC. Use an ffmpeg with libx265, or set the job's codec to H.264.",
  });
});
