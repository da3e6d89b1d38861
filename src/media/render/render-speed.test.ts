import path from "node:path";
import { expect, test } from "vitest";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { decodeSamples, FRAME_CODE, SAMPLE_RATE, shownCodes } from "#tests/support/media/measure-timing.ts";
import { durations, readDecodeErrors, soundSamples, toneLevelDb } from "#tests/support/media/measure.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import type { RenderRequest, TimelinePart } from "../plan/render-plan.ts";
import { paced } from "../plan/speed.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);

const RATE = 30;
const FRAMES = 120;
const TONE_HZ = 1_000;
/** A tone starts with every 20th frame, and lasts as long as half of them. */
const BURST_FRAMES = 20;
const burst = `0.4*sin(2*PI*${TONE_HZ}*t)*lt(mod(t,${BURST_FRAMES / RATE}),${BURST_FRAMES / RATE / 2})`;
const video = file("video.mp4");
await runTestFfmpeg([
  ...["-f", "lavfi", "-i", `color=gray:s=160x160:r=${RATE},${FRAME_CODE}`],
  ...["-f", "lavfi", "-i", `aevalsrc='${burst}':s=${SAMPLE_RATE}`, "-t", String(FRAMES / RATE)],
  ...["-c:v", "libx264", "-preset", "ultrafast", "-crf", "4", "-g", "50", "-c:a", "aac", "-b:a", "192k", video],
]);

const playing = (toParts: (part: TimelinePart) => TimelinePart[]) => (request: RenderRequest) => ({
  ...request,
  outputs: request.outputs.map((output) => ({ ...output, parts: output.parts.flatMap(toParts) })),
});
const atSpeed = (speed: number) => playing((part) => [{ ...part, ...paced(speed) }]);

/** When tones start and end, in seconds: where half of their level is reached, between pauses. */
async function tonesOf(output: string): Promise<{ start: number; end: number }[]> {
  const samples = await decodeSamples(output);
  const step = SAMPLE_RATE / TONE_HZ;
  const isLoud = Array.from({ length: Math.floor(samples.length / step) }, (_, i) =>
    samples.subarray(i * step, (i + 1) * step).some((sample) => Math.abs(sample) > 0.2),
  );
  const tones: { start: number; end: number }[] = [];
  for (const [i] of isLoud.entries().filter(([, loud]) => loud)) {
    const [from, until] = [(i * step) / SAMPLE_RATE, ((i + 1) * step) / SAMPLE_RATE];
    const last = tones.at(-1);
    if (last && from - last.end < 0.05) last.end = until;
    else tones.push({ start: from, end: until });
  }
  return tones;
}

/** How late each tone is to the frames that it starts and ends with, in seconds, on average of both. */
async function lags(output: string): Promise<number[]> {
  const codes = await shownCodes(output);
  const timesOf = (rest: number) =>
    codes
      .filter(({ code }, i) => code % BURST_FRAMES === rest && codes[i - 1]?.code !== code)
      .map(({ seconds }) => seconds);
  const ends = timesOf(BURST_FRAMES / 2);
  const tones = await tonesOf(output);
  return timesOf(0).map((from, i) => {
    const tone = tones.toSorted((a, b) => Math.abs(a.start - from) - Math.abs(b.start - from))[0]!;
    return (tone.start - from + tone.end - ends[i]!) / 2;
  });
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

test.each([
  { speed: 2, shown: range(FRAMES / 2).map((i) => 2 * i) },
  { speed: 0.5, shown: range(2 * FRAMES).map((i) => Math.floor(i / 2)) },
])(
  "at $speed× each frame is shown when it should be, in all stretches, in sync and with its pitch",
  async ({ speed, shown }) => {
    const settings = { caption_start_seconds: 1, caption_end_seconds: 2 };
    const outputs = await renderClip(file(`at-${speed}`), {
      ...{ source: video, captions: ["A", "B"], variants: 2, settings, cut: atSpeed(speed) },
    });
    for (const { path: output, durationSeconds } of outputs) {
      expect(await readDecodeErrors(output)).toBe("");
      expect((await shownCodes(output)).map(({ code }) => code)).toEqual(shown);
      const length = await durations(output);
      expect(length.video).toBeCloseTo(shown.length / RATE, 3);
      expect(durationSeconds).toBeCloseTo(shown.length / RATE, 3);
      expect(Math.abs(length.audio - length.video)).toBeLessThan(0.02);
    }
    const late = await lags(outputs[0]!.path);
    expect(late).toHaveLength(FRAMES / BURST_FRAMES);
    expect(Math.max(...late.map(Math.abs))).toBeLessThan(0.02);
    const inTone = { fromSeconds: 0.02 / speed, toSeconds: 0.22 / speed };
    const levelOf = (hertz: number) => toneLevelDb(outputs[0]!.path, hertz, inTone);
    expect(await levelOf(TONE_HZ)).toBeGreaterThan(20 * Math.log10(0.4) - 2);
    expect(await levelOf(TONE_HZ * speed)).toBeLessThan(-45);
  },
);

test("parts at different speeds follow each other without a frame missing or twice, in sync to the end", async () => {
  const windows = [
    { from: 0, to: 41, speed: 1 },
    { from: 41, to: 80, speed: 2 },
    { from: 80, to: 100, speed: 0.5 },
    { from: 100, to: FRAMES, speed: 1.25 },
  ];
  const [output] = await renderClip(file("mixed"), {
    source: video,
    cut: playing((part) =>
      windows.map(({ from, to, speed }) => {
        const window = { startSeconds: from / RATE, endSeconds: to / RATE };
        return Object.assign({ source: part.source, window }, paced(speed));
      }),
    ),
  });
  expect(await readDecodeErrors(output!.path)).toBe("");
  const shown = (await shownCodes(output!.path)).map(({ code }) => code);
  // On the playback clock, 41 and 80 are the frames 20.5 and 40.
  expect(shown.slice(0, 41 + 19 + 40)).toEqual([
    ...range(41),
    ...range(19).map((i) => 42 + 2 * i),
    ...range(40).map((i) => 80 + Math.floor(i / 2)),
  ]);
  const last = shown.slice(41 + 19 + 40);
  expect(last).toHaveLength(16);
  expect(last.map((code, i) => Math.abs(code - (100 + 1.25 * i))).every((distance) => distance <= 0.75)).toBe(true);
  const late = await lags(output!.path);
  expect(Math.abs(late.at(-1)!)).toBeLessThan(0.02);
});

test("parts that are left of a video without its silences share an input of the sound, in sync", async () => {
  const windows = [
    { from: 0, to: 36 },
    { from: 56, to: 92 },
    { from: 98, to: FRAMES },
  ];
  const [output] = await renderClip(file("left"), {
    source: video,
    cut: playing((part) =>
      windows.map(({ from, to }) => {
        const window = { startSeconds: from / RATE, endSeconds: to / RATE };
        return Object.assign({ source: part.source, window }, paced(2));
      }),
    ),
  });
  const shown = (await shownCodes(output!.path)).map(({ code }) => code);
  expect(shown).toEqual(windows.flatMap(({ from, to }) => range((to - from) / 2).map((i) => from + 2 * i)));
  const late = await lags(output!.path);
  expect(late).toHaveLength(5);
  expect(Math.max(...late.map(Math.abs))).toBeLessThan(0.02);
});

test.each([0.5, 2])("loud sound does not clip at %d×", async (speed) => {
  const loud = file("loud.mp4");
  await runTestFfmpeg([
    ...["-f", "lavfi", "-i", `color=gray:s=160x160:r=${RATE}`],
    ...["-f", "lavfi", "-i", `aevalsrc='clip(3*sin(2*PI*180*t)+2*sin(2*PI*431*t),-1,1)':s=${SAMPLE_RATE}`],
    ...["-t", "1", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "pcm_s16le", "-f", "mov", loud],
  ]);
  const [output] = await renderClip(file(`loud-${speed}`), { source: loud, cut: atSpeed(speed) });
  const peak = (await soundSamples(output!.path)).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  // The limit of mixed sound, and what AAC adds.
  expect(peak).toBeLessThan(0.85);
  expect(peak).toBeGreaterThan(0.7);
});
