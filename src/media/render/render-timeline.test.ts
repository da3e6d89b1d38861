import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeLoggingFfmpeg } from "#tests/support/media/media-tools.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import {
  boxOfPixels,
  durations,
  type Frame,
  pixelAt,
  readDecodeErrors,
  toneLevelDb,
} from "#tests/support/media/measure.ts";
import { readAllFrames } from "#tests/support/media/read-all-frames.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openStreamCache } from "./stream-cache.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const { ffmpeg, countEncodes } = await makeLoggingFfmpeg(folder);

// Brightness encodes the frame number, three steps per frame.
const level = "16+3*mod(N,60)";
const counting = `color=black:s=160x160:r=30000/1001,format=gbrp,geq=r='${level}':g='${level}':b='${level}'`;
const video = file("video.mp4");
const intro = file("intro.mov");
const endCard = file("end-card.mkv");
await makeClip(video, { picture: counting, seconds: 4, toneHz: 440, outputOptions: ["-g", "1000", "-crf", "4"] });
await makeClip(intro, { color: "red", width: 320, height: 180, framesPerSecond: 25, seconds: 1.6, toneHz: 1_000 });
await makeClip(endCard, { color: "blue", width: 160, height: 160, framesPerSecond: 60, seconds: 1, toneHz: null });
const INTRO = 48;
const VIDEO = 120;
const END_CARD = 30;
const SECONDS_PER_FRAME = 1_001 / 30_000;

const errorAt = (frame: Frame, i: number) => Math.abs(pixelAt(frame, 80, 10).red - 16 - 3 * (i % 60));
const isMarked = (frame: Frame) =>
  boxOfPixels(frame, ({ red, green, blue }) => Math.min(red, green, blue) > 100) !== null;
const whiteOf = (frame: Frame) => boxOfPixels(frame, ({ red, green, blue }) => Math.min(red, green, blue) > 225)?.count;

async function cutOff(from: string, to: string, share: number): Promise<void> {
  const bytes = await readFile(from);
  await writeFile(to, bytes.subarray(0, Math.floor(bytes.length * (1 - share))));
}

function isOf(frame: Frame, color: "red" | "blue"): boolean {
  const { red, blue } = pixelAt(frame, 80, 80);
  return color === "red" ? red > 180 && blue < 60 : blue > 180 && red < 60;
}

test("an intro and an end card of other sizes and rates stand around each variant, without a frame missing or twice, and are encoded once", async () => {
  const captions = ["MMM", "WWW", "HHH"];
  const settings = { caption_start_seconds: 1, caption_end_seconds: 2.5 };
  let outputs: Awaited<ReturnType<typeof renderClip>> = [];
  const encodes = await countEncodes(async () => {
    outputs = await renderClip(file("around"), {
      ...{ source: video, intro, outro: endCard, captions, variants: 3, watermark: "@shop", settings, ffmpeg },
    });
  });
  // The intro, the end card, what is before and after the captions, and three captions.
  expect(encodes).toBe(7);
  expect(outputs).toHaveLength(3);
  for (const { path: output, durationSeconds, thumbnailPath } of outputs) {
    expect(await readDecodeErrors(output)).toBe("");
    const frames = await readAllFrames(output);
    expect(frames).toHaveLength(INTRO + VIDEO + END_CARD);
    expect(frames.map((frame) => (isOf(frame, "red") ? "i" : isOf(frame, "blue") ? "e" : "v")).join("")).toBe(
      "i".repeat(INTRO) + "v".repeat(VIDEO) + "e".repeat(END_CARD),
    );
    expect(Math.max(...frames.slice(INTRO, INTRO + VIDEO).map(errorAt))).toBeLessThan(2.5);
    // The watermark is on the video only, whose first frame is dark.
    expect([0, INTRO, INTRO + VIDEO].map((i) => isMarked(frames[i]!))).toEqual([false, true, false]);
    // The caption's time counts from the video's first frame.
    const captioned = frames.flatMap((frame, i) => ((whiteOf(frame) ?? 0) > 60 ? [i - INTRO] : []));
    expect([captioned[0], captioned.at(-1), captioned.length]).toEqual([30, 74, 45]);
    const length = await durations(output);
    expect(length.video).toBeCloseTo((INTRO + VIDEO + END_CARD) * SECONDS_PER_FRAME, 3);
    expect(durationSeconds).toBeCloseTo(length.video, 3);
    expect(Math.abs(length.audio - length.video)).toBeLessThan(0.02);
    // The thumbnail shows the video, with its caption.
    expect(whiteOf((await readAllFrames(thumbnailPath))[0]!)).toBeGreaterThan(20);
  }
});

test("each part keeps its own sound, and one without sound is silent", async () => {
  const [output] = await renderClip(file("sound"), { source: video, intro, outro: endCard });
  const at = { intro: [0.1, 1.5], video: [1.7, 5.5], endCard: [5.7, 6.5] } as const;
  const levelOf = (hertz: number, [fromSeconds, toSeconds]: readonly [number, number]) =>
    toneLevelDb(output!.path, hertz, { fromSeconds, toSeconds });
  const full = 20 * Math.log10(0.25);
  expect(Math.abs((await levelOf(1_000, at.intro)) - full)).toBeLessThan(1);
  expect(await levelOf(440, at.intro)).toBeLessThan(-50);
  expect(Math.abs((await levelOf(440, at.video)) - full)).toBeLessThan(1);
  expect(await levelOf(1_000, at.video)).toBeLessThan(-50);
  expect(await levelOf(440, at.endCard)).toBeLessThan(-60);
});

test("another end card encodes that part alone", async () => {
  const streamCache = await openStreamCache(file("streams"), 1024 ** 3);
  const request = { source: video, intro, captions: ["A", "B"], variants: 2, streamCache, ffmpeg };
  expect(await countEncodes(() => renderClip(file("first"), request))).toBe(3);
  expect(await countEncodes(() => renderClip(file("second"), { ...request, outro: endCard }))).toBe(1);
});

test("a video that ends early holds its last frame until the end card, with a warning", async () => {
  const whole = file("whole.mp4");
  const early = file("early.mp4");
  // With the index in front, the file can be played although its end is missing.
  const outputOptions = ["-movflags", "+faststart", "-g", "30", "-bf", "0"];
  await makeClip(whole, { color: "0x20a020", width: 160, height: 160, seconds: 20, toneHz: null, outputOptions });
  await cutOff(whole, early, 0.04);
  const [output] = await renderClip(file("early"), { source: early, outro: endCard });
  expect(await readDecodeErrors(output!.path)).toBe("");
  const frames = await readAllFrames(output!.path);
  expect(frames).toHaveLength(20 * 30 + END_CARD);
  expect(frames.slice(-END_CARD).every((frame) => isOf(frame, "blue"))).toBe(true);
  expect(frames.slice(0, -END_CARD).some((frame) => isOf(frame, "blue"))).toBe(false);
  expect([...output!.warnings.values()].flat().map(({ code }) => code)).not.toEqual([]);
});

test("music plays through all parts, and segments each have them", async () => {
  const music = file("music.m4a");
  await makeTone(music, { frequencyHz: 2_000, seconds: 12 });
  const outputs = await renderClip(file("music"), {
    ...{ source: video, intro, outro: endCard, tracks: [music], segmentation: { type: "multiple", segmentSeconds: 2 } },
    settings: { audio_mode: "mix", music_gain: 1, video_gain: 0.5 },
  });
  expect(outputs).toHaveLength(2);
  for (const { path: output } of outputs) {
    expect(await readDecodeErrors(output)).toBe("");
    expect((await readAllFrames(output)).length).toBe(INTRO + VIDEO / 2 + END_CARD);
    for (const fromSeconds of [0.2, 2, 3.9])
      expect(
        Math.abs(
          (await toneLevelDb(output, 2_000, { fromSeconds, toSeconds: fromSeconds + 0.5 })) - 20 * Math.log10(0.25),
        ),
      ).toBeLessThan(1.5);
  }
});
