import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import {
  boxOfPixels,
  framePixels,
  pixelAt,
  readDecodeErrors,
  probeFile,
  shareOfDifferentPixels,
} from "#tests/support/media/measure.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const into = (name: string) => path.join(folder, name);
const gray = file("gray.mp4");
await makeClip(gray, { width: 360, height: 640, seconds: 1.5, color: "gray", toneHz: null });

const isWhite = ({ red, green, blue }: { red: number; green: number; blue: number }) =>
  Math.min(red, green, blue) > 220;
const isBlack = ({ red, green, blue }: { red: number; green: number; blue: number }) => Math.max(red, green, blue) < 40;

test("captions are white with a black outline in the lower third, and differ between outputs", async () => {
  const captions = ["Wait for the pour", "Save this for Monday"];
  const outputs = await renderClip(into("captions"), { source: gray, captions, variants: 2 });
  expect(outputs).toHaveLength(2);
  const frames = await Promise.all(outputs.map(({ path }) => framePixels(path, 0.5)));
  for (const frame of frames) {
    const white = boxOfPixels(frame, isWhite)!;
    expect(white.left).toBeGreaterThan(360 * 0.08);
    expect(white.right).toBeLessThan(360 * 0.92);
    expect(white.top).toBeGreaterThan(640 * 0.6);
    expect(white.bottom).toBeLessThan(640 * 0.82);
    expect(Math.abs(white.left + white.right - 360)).toBeLessThan(8);
    expect(boxOfPixels(frame, isBlack)!.count).toBeGreaterThan(300);
    expect(pixelAt(frame, 180, 100).red).toBeGreaterThan(115);
    expect(pixelAt(frame, 180, 100).red).toBeLessThan(140);
  }
  expect(shareOfDifferentPixels(frames[0]!, frames[1]!)).toBeGreaterThan(0.01);
});

test("a thumbnail has its file's colors, drawn or copied", async () => {
  const orange = file("orange.mp4");
  await makeClip(orange, { width: 360, height: 640, seconds: 1.5, color: "0xe07010", toneHz: null });
  const outputs = [
    ...(await renderClip(into("drawn"), { source: orange, captions: ["Hi"] })),
    ...(await renderClip(into("copied"), { source: orange })),
  ];
  for (const { path: video, thumbnailPath } of outputs) {
    const shown = pixelAt(await framePixels(video, 0.7), 180, 100);
    const thumbnail = pixelAt(await framePixels(thumbnailPath, 0), 180, 100);
    for (const part of ["red", "green", "blue"] as const) {
      expect(Math.abs(thumbnail[part] - shown[part])).toBeLessThan(6);
    }
  }
});

test("the watermark is small, translucent and at the bottom right", async () => {
  const [output] = await renderClip(into("watermark"), { source: gray, watermark: "@clipmill" });
  const frame = await framePixels(output!.path, 0.5);
  const drawn = boxOfPixels(frame, ({ red }) => red > 150)!;
  expect(drawn.left).toBeGreaterThan(180);
  expect(drawn.right).toBeLessThan(360 * 0.93);
  expect(drawn.top).toBeGreaterThan(640 * 0.7);
  expect(drawn.bottom).toBeLessThan(640 * 0.83);
  // 60 % white over gray 128 is 204
  expect(boxOfPixels(frame, ({ red }) => red > 225)).toBeNull();
});

test("emoji are drawn in color", async () => {
  const [output] = await renderClip(into("emoji"), { source: gray, captions: ["🍓🍓🍓"] });
  const frame = await framePixels(output!.path, 0.5);
  expect(boxOfPixels(frame, ({ red, green }) => red > 150 && green < 110)!.count).toBeGreaterThan(100);
});

test("outputs are H.264 yuv420p of even size, and each has a thumbnail with its caption", async () => {
  await makeClip(file("odd.mp4"), { width: 321, height: 241, seconds: 1, outputOptions: ["-pix_fmt", "yuv444p"] });
  const [output] = await renderClip(into("odd"), { source: file("odd.mp4"), captions: ["Odd"] });
  const { streams } = await probeFile(output!.path);
  expect(streams.map(({ type }) => type)).toEqual(["video", "audio"]);
  expect(streams[0]).toMatchObject({ codec: "h264", pixelFormat: "yuv420p", width: 320, height: 240, packets: 30 });
  expect(output).toMatchObject({ width: 320, height: 240 });
  expect(await readDecodeErrors(output!.path)).toBe("");
  const thumbnail = await framePixels(output!.thumbnailPath, 0);
  expect(thumbnail.width).toBe(320);
  expect(boxOfPixels(thumbnail, isWhite)!.bottom).toBeGreaterThan(150);
});

test("a rotated source is upright in the output", async () => {
  const halves = "color=red:s=160x240:r=30[l];color=blue:s=160x240:r=30[r];[l][r]hstack";
  await makeClip(file("turned.mp4"), { picture: halves, seconds: 1, rotation: 90 });
  const [output] = await renderClip(into("turned"), { source: file("turned.mp4"), watermark: "@us" });
  const frame = await framePixels(output!.path, 0.5);
  expect([frame.width, frame.height]).toEqual([240, 320]);
  expect(pixelAt(frame, 120, 40).red).toBeGreaterThan(200);
  expect(pixelAt(frame, 120, 230).blue).toBeGreaterThan(200);
});

test("non-square pixels become square", async () => {
  const wide = { width: 180, height: 144, seconds: 0.5, toneHz: null, outputOptions: ["-vf", "setsar=4/3"] };
  await makeClip(file("wide.mp4"), wide);
  const [output] = await renderClip(into("wide"), { source: file("wide.mp4") });
  expect((await probeFile(output!.path)).streams[0]).toMatchObject({ width: 240, height: 144 });
});

test("a picture with nothing drawn on it is copied bit for bit", async () => {
  const [output] = await renderClip(into("copied"), { source: gray });
  const [ours, theirs] = await Promise.all([framePixels(output!.path, 1), framePixels(gray, 1)]);
  expect(Buffer.compare(ours.data, theirs.data)).toBe(0);
  expect((await probeFile(output!.path)).streams).toHaveLength(1);
});

test("VP9 in Matroska becomes H.264 in MP4", async () => {
  await makeClip(file("clip.mkv"), { seconds: 1, videoCodec: "libvpx-vp9", audioCodec: "libopus" });
  const [output] = await renderClip(into("matroska"), { source: file("clip.mkv") });
  const { formatName, streams, durationSeconds } = await probeFile(output!.path);
  expect(formatName).toContain("mp4");
  expect(streams.map(({ codec }) => codec)).toEqual(["h264", "aac"]);
  expect(Math.abs(durationSeconds - 1)).toBeLessThan(0.05);
});

test("colors are preserved, also from standard definition", async () => {
  await makeClip(file("teal.mp4"), { color: "0x208070", seconds: 0.5, toneHz: null });
  const [output] = await renderClip(into("teal"), { source: file("teal.mp4"), watermark: "@us" });
  const { red, green, blue } = pixelAt(await framePixels(output!.path, 0.2), 100, 60);
  expect(Math.max(Math.abs(red - 0x20), Math.abs(green - 0x80), Math.abs(blue - 0x70))).toBeLessThan(8);
});

test("a source truncated after its header is rejected as damaged", async () => {
  await makeClip(file("whole.mp4"), { seconds: 4, outputOptions: ["-movflags", "+faststart"] });
  const whole = await readFile(file("whole.mp4"));
  await writeFile(file("broken.mp4"), whole.subarray(0, whole.length / 3));
  for (const captions of [["Hello"], []]) {
    await expect(renderClip(into("broken"), { source: file("broken.mp4"), captions })).rejects.toMatchObject({
      code: "damaged",
      message: "The video file is damaged or incomplete.",
    });
  }
});

test("a source whose picture cannot be decoded is rejected as damaged", async () => {
  await makeClip(file("blank.mp4"), { seconds: 1, toneHz: null });
  const blank = await readFile(file("blank.mp4"));
  // Keeps the header and fills the frames with noise.
  blank.fill(0xff, blank.indexOf("mdat") + 4, blank.indexOf("moov") - 4);
  await writeFile(file("blank.mp4"), blank);
  const request = { source: file("blank.mp4"), captions: ["Hello"] };
  await expect(renderClip(into("blank"), request)).rejects.toMatchObject({ code: "damaged" });
});

test("progress rises to 1 and never falls", async () => {
  const shares: number[] = [];
  const captions = ["One", "Two"];
  await renderClip(into("progress"), {
    source: gray,
    captions,
    variants: 2,
    onProgress: (share) => shares.push(share),
  });
  expect(shares.at(-1)).toBeCloseTo(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});
