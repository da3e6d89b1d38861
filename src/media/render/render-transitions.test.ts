import path from "node:path";
import { expect, test } from "vitest";
import { makeLoggingFfmpeg } from "#tests/support/media/media-tools.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import {
  boxOfPixels,
  durations,
  type Frame,
  pixelAt,
  readDecodeErrors,
  toneLevelDb,
} from "#tests/support/media/measure.ts";
import { readAllFrames } from "#tests/support/media/read-all-frames.ts";
import { type ClipRequest, renderClip } from "#tests/support/media/render-clip.ts";
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
const otherCard = file("other-card.mp4");
await makeClip(video, { picture: counting, seconds: 4, toneHz: 440, outputOptions: ["-g", "1000", "-crf", "4"] });
await makeClip(intro, { color: "red", width: 320, height: 180, framesPerSecond: 25, seconds: 1.6, toneHz: 1_000 });
await makeClip(endCard, { color: "blue", width: 160, height: 160, framesPerSecond: 60, seconds: 1, toneHz: null });
await makeClip(otherCard, { color: "green", width: 160, height: 160, framesPerSecond: 60, seconds: 1, toneHz: null });
const [INTRO, VIDEO, END_CARD] = [48, 120, 30];
const FADE = 15;
const SECONDS_PER_FRAME = 1_001 / 30_000;
const FULL_DB = 20 * Math.log10(0.25);

type Color = { red: number; green: number; blue: number };
const RED = { red: 254, green: 0, blue: 0 };
const BLUE = { red: 0, green: 0, blue: 254 };
const gray = (frame: number): Color => {
  const value = 16 + 3 * (frame % 60);
  return { red: value, green: value, blue: value };
};
const between = (from: Color, to: Color, share: number): Color => ({
  red: from.red * (1 - share) + to.red * share,
  green: from.green * (1 - share) + to.green * share,
  blue: from.blue * (1 - share) + to.blue * share,
});

/** What each frame shows. */
function expectedFrames(): Color[] {
  const fade = Array.from({ length: FADE }, (_, i) => i / FADE);
  return [
    ...Array.from({ length: INTRO - FADE }, () => RED),
    ...fade.map((share, i) => between(RED, gray(i), share)),
    ...Array.from({ length: VIDEO - 2 * FADE }, (_, i) => gray(FADE + i)),
    ...fade.map((share, i) => between(gray(VIDEO - FADE + i), BLUE, share)),
    ...Array.from({ length: END_CARD - FADE }, () => BLUE),
  ];
}

function distance(frame: Frame, expected: Color): number {
  const seen = pixelAt(frame, 80, 80);
  return Math.max(...(["red", "green", "blue"] as const).map((name) => Math.abs(seen[name] - expected[name])));
}

function whiteOf(frame: Frame): number {
  return boxOfPixels(frame, ({ red, green, blue }) => Math.min(red, green, blue) > 225)?.count ?? 0;
}

test("each part fades into the next one, frame by frame, and only the overlap is encoded again for another end card", async () => {
  const streamCache = await openStreamCache(file("streams"), 1024 ** 3);
  const request = { source: video, intro, settings: { transition_seconds: 0.5 }, streamCache, ffmpeg };
  let outputs: Awaited<ReturnType<typeof renderClip>> = [];
  const encodes = await countEncodes(async () => {
    outputs = await renderClip(file("faded"), { ...request, outro: endCard });
  });
  expect(encodes).toBe(5);
  const [output] = outputs;
  expect(await readDecodeErrors(output!.path)).toBe("");
  const frames = await readAllFrames(output!.path);
  const expected = expectedFrames();
  expect(frames).toHaveLength(expected.length);
  // Encoding and the conversion of colors cost a few steps.
  const wrong = frames.flatMap((frame, i) => (distance(frame, expected[i]!) > 8 ? [i] : []));
  expect(wrong).toEqual([]);
  const length = await durations(output!.path);
  expect(length.video).toBeCloseTo(expected.length * SECONDS_PER_FRAME, 3);
  expect(Math.abs(length.audio - length.video)).toBeLessThan(0.02);
  expect(await countEncodes(() => renderClip(file("other"), { ...request, outro: otherCard }))).toBe(2);
});

test("a caption fades with its part into one without it", async () => {
  const [output] = await renderClip(file("captioned"), {
    ...{ source: video, outro: endCard, captions: ["MMM"], settings: { transition_seconds: 0.5 } },
  });
  const frames = await readAllFrames(output!.path);
  expect(frames).toHaveLength(VIDEO + END_CARD - FADE);
  expect([0, VIDEO - FADE].map((i) => whiteOf(frames[i]!) > 60)).toEqual([true, true]);
  // White on gray becomes blue.
  const half = boxOfPixels(frames[VIDEO - FADE / 2 - 0.5]!, ({ red, green }) => Math.min(red, green) > 115);
  expect(half!.count).toBeGreaterThan(60);
  expect(frames.slice(VIDEO - FADE + 8).every((frame) => whiteOf(frame) === 0)).toBe(true);
});

test("sounds overlap with their pictures", async () => {
  const [output] = await renderClip(file("sound"), {
    ...{ source: video, intro, settings: { transition_seconds: 0.5 } },
  });
  const join = (INTRO - FADE) * SECONDS_PER_FRAME;
  const levelAt = (hertz: number, seconds: number) =>
    toneLevelDb(output!.path, hertz, { fromSeconds: seconds, toSeconds: seconds + 0.1 });
  expect(Math.abs((await levelAt(1_000, join - 0.2)) - FULL_DB)).toBeLessThan(1);
  expect(await levelAt(440, join - 0.2)).toBeLessThan(-50);
  for (const hertz of [440, 1_000])
    expect(Math.abs((await levelAt(hertz, join + 0.2)) - (FULL_DB - 3))).toBeLessThan(2);
  expect(Math.abs((await levelAt(440, join + 0.6)) - FULL_DB)).toBeLessThan(1);
  expect(await levelAt(1_000, join + 0.6)).toBeLessThan(-50);
});

/** A second of the intro, then a second of the video, each with sound beyond the cut. */
const cutInside: ClipRequest["cut"] = (request) => ({
  ...request,
  outputs: [
    {
      ...request.outputs[0]!,
      parts: [
        { source: 1, window: { startSeconds: 0.3, endSeconds: 1.3 } },
        { source: 0, window: { startSeconds: 1, endSeconds: 2 }, gainDb: 6 },
      ],
    },
  ],
});

test("sound fades as long as asked where pictures are cut, and a part's gain is applied", async () => {
  const levels: number[] = [];
  for (const milliseconds of [0, 20, 300]) {
    const settings = { audio_crossfade_ms: milliseconds };
    const request = { source: video, intro, settings, cut: cutInside };
    const [output] = await renderClip(file(`crossfade-${milliseconds}`), request);
    const { audio, video: picture } = await durations(output!.path);
    expect(Math.abs(audio - picture)).toBeLessThan(0.02);
    const levelAt = (hertz: number, fromSeconds: number, toSeconds: number) =>
      toneLevelDb(output!.path, hertz, { fromSeconds, toSeconds });
    levels.push(await levelAt(440, 0.9, 0.96));
    expect(Math.abs((await levelAt(1_000, 0.2, 0.8)) - FULL_DB)).toBeLessThan(1);
    expect(Math.abs((await levelAt(440, 1.3, 1.8)) - FULL_DB - 6)).toBeLessThan(1);
  }
  expect(levels[0]!).toBeLessThan(-45);
  expect(levels[1]!).toBeLessThan(-45);
  expect(levels[2]!).toBeGreaterThan(-25);
});

/** 0.1 s of the intro, then the video. */
const afterMoment: ClipRequest["cut"] = (request) => ({
  ...request,
  outputs: [
    {
      ...request.outputs[0]!,
      parts: [
        { source: 1, window: { startSeconds: 0, endSeconds: 0.1 } },
        { source: 0, window: null },
      ],
    },
  ],
});

test("a fade is no longer than the parts beside it, and all sound is heard", async () => {
  const [output] = await renderClip(file("short"), {
    ...{ source: video, intro, settings: { audio_crossfade_ms: 300 }, cut: afterMoment },
  });
  const level = await toneLevelDb(output!.path, 440, { fromSeconds: 1, toSeconds: 3 });
  expect(Math.abs(level - FULL_DB)).toBeLessThan(1);
});
