import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { withChunks } from "#media/plan/chunks/with-chunks.ts";
import { makeLoggingFfmpeg } from "#tests/support/media/media-tools.ts";
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
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const clip = file("clip.mp4");
// Brightness encodes the frame number, three steps per frame; the only keyframe is at the start.
const level = "16+3*mod(N,60)";
const counting = `color=black:s=160x160:r=30000/1001,format=gbrp,geq=r='${level}':g='${level}':b='${level}'`;
await makeClip(clip, { picture: counting, seconds: 4, outputOptions: ["-g", "1000", "-crf", "4"] });
const { ffmpeg, log } = await makeLoggingFfmpeg(folder);

const FRAMES = 120;
/** Distance from the brightness of frame `i`; adjacent frames differ by 3. */
const errorAt = (frame: Frame, i: number) => Math.abs(pixelAt(frame, 80, 10).red - 16 - 3 * (i % 60));
const whiteOf = (frame: Frame) => boxOfPixels(frame, ({ red, green, blue }) => Math.min(red, green, blue) > 225)?.count;
const brightest = (frame: Frame) => frame.data.reduce((most, value) => Math.max(most, value), 0);
const indexesWhere = (frames: Frame[], matches: (frame: Frame) => boolean) =>
  frames.flatMap((frame, i) => (matches(frame) ? [i] : []));

test("variants share the stretches without a caption, and no frame is lost, repeated or late at a seam", async () => {
  await writeFile(log, "");
  const timing = { caption_start_seconds: 1.2, caption_end_seconds: 2.6, caption_fade: 0 } as const;
  const captions = ["MMM", "WWW", "HHH"];
  const outputs = await renderClip(file("shared"), { source: clip, captions, variants: 3, settings: timing, ffmpeg });
  // 3 captioned stretches and the 2 around them
  expect((await readFile(log, "utf8")).split("-c:v libx264").length - 1).toBe(5);
  for (const { path: output, durationSeconds, thumbnailPath } of outputs) {
    expect(await readDecodeErrors(output)).toBe("");
    const frames = await readAllFrames(output);
    expect(frames).toHaveLength(FRAMES);
    expect(Math.max(...frames.map(errorAt))).toBeLessThan(2.5);
    const captioned = indexesWhere(frames, (frame) => (whiteOf(frame) ?? 0) > 20);
    expect([captioned[0], captioned.at(-1), captioned.length]).toEqual([36, 77, 42]);
    expect((await probeFile(output)).streams[0]).toMatchObject({ packets: FRAMES });
    const length = await durations(output);
    expect(length.video).toBeCloseTo(FRAMES * (1001 / 30_000), 3);
    expect(durationSeconds).toBeCloseTo(length.video, 3);
    expect(Math.abs(length.audio - length.video)).toBeLessThan(0.03);
    expect(whiteOf((await readAllFrames(thumbnailPath))[0]!)).toBeGreaterThan(20);
  }
});

test("a single variant is encoded in one piece; its caption appears and fades on the same frames", async () => {
  await writeFile(log, "");
  const timing = { caption_start_seconds: 1, caption_end_seconds: 3, caption_fade: 200 } as const;
  const [output] = await renderClip(file("single"), { source: clip, captions: ["MMM"], settings: timing, ffmpeg });
  expect((await readFile(log, "utf8")).split("-c:v libx264").length - 1).toBe(1);
  const frames = await readAllFrames(output!.path);
  const levels = frames.map(brightest);
  expect(frames).toHaveLength(FRAMES);
  expect(Math.max(...frames.map(errorAt))).toBeLessThan(2.5);
  expect(levels[30]).toBeLessThan(120);
  expect(levels.slice(30, 37)).toEqual(levels.slice(30, 37).toSorted((a, b) => a - b));
  expect(levels.slice(84, 91)).toEqual(levels.slice(84, 91).toSorted((a, b) => b - a));
  expect(indexesWhere(frames, (frame) => (whiteOf(frame) ?? 0) > 20).at(-1)).toBeLessThan(90);
});

test("a long picture is encoded in chunks, without losing a frame or a step of a fade", async () => {
  await writeFile(log, "");
  const limits = { leastMinutes: 0, leastSeconds: 3, chunkSeconds: 1, chunkMinutes: 0 };
  // A chunk would start at frame 40, within the fade.
  const timing = { caption_start_seconds: 38 / 29.97, caption_fade: 200 } as const;
  const settings = { ...timing, platform: "shorts", format: "source" } as const;
  const request = { source: clip, captions: ["MMM"], settings, ffmpeg };
  const [whole] = await renderClip(file("in-one"), request);
  const [chunked] = await renderClip(file("in-chunks"), { ...request, cut: (plain) => withChunks(plain, limits) });
  expect((await readFile(log, "utf8")).split("-c:v libx264").length - 1).toBe(1 + 3);
  expect(await readDecodeErrors(chunked!.path)).toBe("");
  const [frames, before] = [await readAllFrames(chunked!.path), await readAllFrames(whole!.path)];
  expect(frames).toHaveLength(FRAMES);
  expect(Math.max(...frames.map(errorAt))).toBeLessThan(2.5);
  for (const [i, frame] of frames.entries())
    expect(Math.abs(brightest(frame) - brightest(before[i]!))).toBeLessThan(25);
});

test("captions that draw the same pixels share one picture of stretches", async () => {
  const captions = ["MMM WWW", "MMM  WWW", "HHH"];
  const settings = { caption_start_seconds: 1.2, caption_end_seconds: 2.6 };
  const outputs = await renderClip(file("same"), { source: clip, captions, variants: 3, settings });
  expect(outputs.map(({ keys }) => keys)).toEqual([["0", "1"], ["0", "1"], ["2"]]);
  for (const { path: output } of outputs) {
    expect((await probeFile(output)).streams[0]).toMatchObject({ packets: FRAMES });
  }
});

test("a stretch is joined whose last frame would be the next keyframe of its encoder", async () => {
  await writeFile(log, "");
  const long = file("long.mp4");
  await makeClip(long, { picture: "testsrc2=s=160x160:r=60", seconds: 6 });
  // 251 frames, while encoders insert a keyframe after 250
  const settings = { caption_start_seconds: 251 / 60 };
  const request = { source: long, captions: ["MMM", "WWW"], variants: 2, settings, ffmpeg };
  for (const { path: output } of await renderClip(file("distance"), request)) {
    expect(await readDecodeErrors(output)).toBe("");
    expect((await probeFile(output)).streams[0]).toMatchObject({ packets: 360 });
  }
  // The common stretch and 2 captioned ones.
  expect((await readFile(log, "utf8")).split("-c:v libx264").length - 1).toBe(3);
});

test("stretches that cannot be joined are encoded again in one piece", async () => {
  await writeFile(log, "");
  // Encodes the common stretch of 36 frames with another profile.
  const other = file("other-ffmpeg");
  const change = `for a; do shift; [ "$a" = high ] && a=main; set -- "$@" "$a"; done`;
  await writeFile(other, `#!/bin/sh\ncase "$*" in *'-frames:v 36 '*) ${change};; esac\nexec '${ffmpeg}' "$@"\n`);
  await chmod(other, 0o755);
  const request = { source: clip, captions: ["MMM", "WWW"], variants: 2, settings: { caption_start_seconds: 1.2 } };
  const outputs = await renderClip(file("rejected"), { ...request, ffmpeg: other });
  // The common stretch and 2 captioned ones, then 2 complete pictures.
  expect((await readFile(log, "utf8")).split("-c:v libx264").length - 1).toBe(5);
  // The cached stretches are unchanged.
  const entries = await readdir(file("rejected/streams"));
  const cached = await Promise.all(entries.map((entry) => probeFile(file(`rejected/streams/${entry}/stream`))));
  const frames = cached.flatMap(({ streams: [stream] }) => (stream!.type === "video" ? [stream!.packets] : []));
  expect(frames.toSorted((a, b) => a - b)).toEqual([36, 84, 84, 120, 120]);
  for (const { path: output } of outputs) {
    expect(await readDecodeErrors(output)).toBe("");
    expect((await probeFile(output)).streams[0]).toMatchObject({ packets: FRAMES });
  }
});
