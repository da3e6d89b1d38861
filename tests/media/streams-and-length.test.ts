import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeTone } from "#tests/support/media/make-clip.ts";
import {
  durations,
  framePixels,
  pixelAt,
  readDecodeErrors,
  probeFile,
  toneLevelDb,
} from "#tests/support/media/measure.ts";
import { shownFrames } from "#tests/support/media/measure-timing.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { sampleOf } from "#tests/support/media/sample.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const tone = (hz: number, seconds: number) => [
  "-f",
  "lavfi",
  "-i",
  `aevalsrc=0.25*sin(2*PI*${hz}*t):s=48000:d=${seconds}`,
];
const picture = (seconds: number) => ["-f", "lavfi", "-i", `testsrc2=s=64x64:r=30:d=${seconds}`];

async function renderDrawnOn(name: string): Promise<string> {
  const [output] = await renderClip(file(`${name}-out`), { source: file(name), watermark: "@" });
  return output!.path;
}

test.each(sampleOf(["tracks.mkv", "tracks.mp4"], ["tracks.mp4"]))(
  "the default sound track of %s is used",
  async (name) => {
    const inputs = [...picture(1), ...tone(500, 1), ...tone(1_000, 1), ...tone(2_000, 1)];
    const maps = ["-map", "0", "-map", "1", "-map", "2", "-map", "3"];
    const defaults = ["-disposition:a:0", "0", "-disposition:a:1", "default", "-disposition:a:2", "0"];
    await runTestFfmpeg([...inputs, ...maps, ...H264, "-c:a", "aac", ...defaults, file(name)]);
    const output = await renderDrawnOn(name);
    const middle = { fromSeconds: 0.2, toSeconds: 0.8 };
    expect(await toneLevelDb(output, 1_000, middle)).toBeGreaterThan(-14);
    expect(await toneLevelDb(output, 500, middle)).toBeLessThan(-50);
    expect((await probeFile(output)).streams.map(({ type }) => type)).toEqual(["video", "audio"]);
  },
);

test("timecode, data and subtitles of a video are removed", async () => {
  await runTestFfmpeg([
    ...[...picture(1), ...tone(500, 1), ...H264, "-c:a", "aac", "-timecode", "10:00:00:00"],
    file("timecode.mov"),
  ]);
  await writeFile(file("words.srt"), "1\n00:00:00,000 --> 00:00:01,000\nHello\n");
  await runTestFfmpeg([
    ...["-i", file("timecode.mov"), "-i", file("words.srt"), "-map", "0:v", "-map", "0:a", "-map", "1", "-c", "copy"],
    ...["-c:s", "mov_text", file("subtitled.mp4")],
  ]);
  for (const name of ["timecode.mov", "subtitled.mp4"]) {
    const [bare] = await renderClip(file(`${name}-bare`), { source: file(name) });
    for (const output of [bare!.path, await renderDrawnOn(name)])
      expect((await probeFile(output)).streams.map(({ type }) => type)).toEqual(["video", "audio"]);
  }
});

test.each(
  sampleOf(
    [
      { name: "longer-sound.mp4", inputs: [...picture(1), ...tone(500, 3)], seconds: 3 },
      { name: "shorter-sound.mp4", inputs: [...picture(1), ...tone(500, 0.4)], seconds: 1 },
      { name: "longer-sound.mkv", inputs: [...picture(1), ...tone(500, 3)], seconds: 3 },
      { name: "shorter-sound.mkv", inputs: [...picture(1), ...tone(500, 0.4)], seconds: 1 },
      { name: "longer-sound.ts", inputs: [...picture(1), ...tone(500, 3)], seconds: 3 },
      { name: "longer-sound.flv", inputs: [...picture(1), ...tone(500, 3), "-ar", "44100"], seconds: 3 },
    ],
    ["longer-sound.mp4", "shorter-sound.mkv", "longer-sound.ts"],
  ),
)("$name: the output is as long as in a player", async ({ name, inputs, seconds }) => {
  await runTestFfmpeg([...inputs, ...H264, "-bf", "0", "-c:a", "aac", file(name)]);
  const output = await renderDrawnOn(name);
  const lengths = await durations(output);
  expect(Math.abs(lengths.video - seconds)).toBeLessThan(0.07);
  expect(Math.abs(lengths.audio - lengths.video)).toBeLessThan(0.03);
  expect(await readDecodeErrors(output)).toBe("");
});

test.each([1, 6])("sound with %i channels is mixed down at a plausible level", async (channels) => {
  const expression = Array.from({ length: channels }, (_, i) => (i < 2 ? "0.25*sin(2*PI*1000*t)" : "0")).join("|");
  const source = `aevalsrc='${expression}':s=48000:d=1${channels === 6 ? ":c=5.1" : ""}`;
  const name = `channels-${channels}.mkv`;
  await runTestFfmpeg([...picture(1), "-f", "lavfi", "-i", source, ...H264, "-c:a", "ac3", file(name)]);
  const level = await toneLevelDb(await renderDrawnOn(name), 1_000, { fromSeconds: 0.2, toSeconds: 0.8 });
  expect(level).toBeGreaterThan(20 * Math.log10(0.25) - 6);
  expect(level).toBeLessThan(20 * Math.log10(0.25) + 1);
});

test("audio files and still pictures are rejected with a clear message", async () => {
  await makeTone(file("sound.mp4"), { frequencyHz: 500, seconds: 0.3 });
  await runTestFfmpeg([...picture(0.1), "-frames:v", "1", file("still.png")]);
  await runTestFfmpeg([...picture(0.1), "-frames:v", "1", file("still.gif")]);
  await runTestFfmpeg([...picture(0.1), "-frames:v", "1", file("still.webp")]);
  await runTestFfmpeg([...picture(0.1), "-frames:v", "1", "-c:v", "libsvtav1", "-f", "avif", file("still.avif")]);
  await expect(renderDrawnOn("sound.mp4")).rejects.toMatchObject({
    code: "not_a_video",
    message: "This file has sound but no picture. Use a video file instead.",
  });
  for (const name of ["still.png", "still.gif", "still.webp", "still.avif"])
    await expect(renderDrawnOn(name)).rejects.toMatchObject({
      code: "not_a_video",
      message: "This file is not a video.",
    });
});

test("clips of a two-hour video are reached by seeking", async () => {
  // one frame per second, brighter every minute
  const hours = "color=black:s=64x64:r=1:d=7200,format=gray,geq=lum='floor(T/60)*2':enable='1',format=yuv420p";
  await runTestFfmpeg([
    "-f",
    "lavfi",
    "-i",
    hours,
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-g",
    "60",
    file("long.mp4"),
  ]);
  const started = performance.now();
  const segmentation = { type: "single", segmentSeconds: 5 } as const;
  const outputs = await renderClip(file("long"), { source: file("long.mp4"), variants: 3, segmentation });
  const seconds = (performance.now() - started) / 1_000;
  for (const [i, output] of outputs.entries()) {
    expect(await shownFrames(output.path)).toHaveLength(5);
    const minute = Math.floor((i * 7_195) / 2 / 60);
    const { red } = pixelAt(await framePixels(output.path, 0), 20, 20);
    expect(Math.abs(red - minute * 2)).toBeLessThan(4);
  }
  // decoding the whole video takes longer even on an idle machine
  expect(seconds).toBeLessThan(15);
}, 120_000);

test.each([
  { name: "before-zero.mp4", options: ["-movflags", "negative_cts_offsets"] },
  { name: "trimmed.mp4", options: ["-output_ts_offset", "-0.5", "-avoid_negative_ts", "disabled"] },
  { name: "far-beyond.mkv", options: ["-output_ts_offset", "100"] },
])("all displayed frames of $name are in its output", async ({ name, options }) => {
  const encode = [...H264, "-bf", "2", "-c:a", "aac"];
  await runTestFfmpeg([...picture(1), ...tone(500, 1), ...encode, ...options, file(name)]);
  const frames = (await shownFrames(file(name), "first stream")).filter(({ seconds }) => seconds >= 0);
  expect(Math.abs((await shownFrames(await renderDrawnOn(name))).length - frames.length)).toBeLessThanOrEqual(1);
});
