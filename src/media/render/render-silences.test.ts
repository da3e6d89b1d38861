import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeLoggingFfmpeg, runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { decodeSamples, FRAME_CODE, frameCodes, SAMPLE_RATE } from "#tests/support/media/measure-timing.ts";
import { durations, readDecodeErrors } from "#tests/support/media/measure.ts";
import { readAllFrames } from "#tests/support/media/read-all-frames.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { cutSilences, findCuts, leaveOut } from "../plan/cut-silences.ts";
import type { RenderRequest } from "../plan/render-plan.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const { ffmpeg, log } = await makeLoggingFfmpeg(folder);

const RATE = { numerator: 30_000, denominator: 1_001 };
const SECONDS_PER_FRAME = 1_001 / 30_000;
const SECONDS = 18;
const SETTINGS = { cut_silences_ms: 200, silence_padding_ms: 50 };
const STEPS = Math.ceil(SECONDS / 0.032);
/** Speech of 0.4 s each second, so that more parts are left than one input of the sound has. */
const detected = {
  fromSeconds: 0,
  likelihoods: Uint8Array.from({ length: STEPS }, (_, step) =>
    (step * 0.032) % 1 > 0.3 && (step * 0.032) % 1 < 0.7 ? 255 : 0,
  ),
};
const kept = leaveOut({ startSeconds: 0, endSeconds: SECONDS }, findCuts(detected, SETTINGS, RATE), { rate: RATE })!;
const frameOf = (seconds: number) => Math.round(seconds / SECONDS_PER_FRAME);
const keptFrames = kept.flatMap(({ startSeconds, endSeconds }) => {
  const first = frameOf(startSeconds);
  return Array.from({ length: frameOf(Math.min(endSeconds, SECONDS)) - first }, (_, i) => first + i);
});

/** Frames are numbered, and no two moments sound alike. */
const video = file("video.mp4");
await runTestFfmpeg([
  ...["-f", "lavfi", "-i", `color=gray:s=160x160:r=30000/1001,${FRAME_CODE}`],
  ...["-f", "lavfi", "-i", `aevalsrc='0.3*sin(2*PI*(200*t+40*t*t))':s=${SAMPLE_RATE}`, "-t", String(SECONDS)],
  ...["-c:v", "libx264", "-preset", "ultrafast", "-crf", "4", "-g", "90", "-c:a", "aac", "-b:a", "192k", video],
]);

const cut = (request: RenderRequest) => cutSilences(request, new Map([[0, detected]]), SETTINGS);

/** In samples; positive if `sound` is late. Looks 10 ms around. */
function delayOf(sound: Float32Array, source: Float32Array, at: number, sourceAt: number): number {
  const LENGTH = 4_096;
  let best = { lag: 0, likeness: -Infinity };
  for (let lag = -480; lag <= 480; lag++) {
    let likeness = 0;
    for (let i = 0; i < LENGTH; i++) likeness += (sound[at + lag + i] ?? 0) * (source[sourceAt + i] ?? 0);
    if (likeness > best.likeness) best = { lag, likeness };
  }
  return best.lag;
}

test("silences are cut between frames and in sync, and what is left is encoded once for all captions", async () => {
  await writeFile(log, "");
  const outputs = await renderClip(file("cut"), {
    ...{ source: video, captions: ["A", "B", "C"], variants: 3, cut, ffmpeg },
    settings: { caption_start_seconds: 0.5, caption_end_seconds: 1.5 },
  });
  expect(kept.length).toBe(18);
  // The caption is on three parts.
  const encodes = (await readFile(log, "utf8")).split("-c:v libx264").length - 1;
  expect(encodes).toBe(kept.length + 2 * 3);
  const source = await decodeSamples(video);
  for (const { path: output } of outputs) {
    expect(await readDecodeErrors(output)).toBe("");
    expect(await readAllFrames(output)).toHaveLength(keptFrames.length);
    const codes = await frameCodes(output);
    expect([...codes.keys()]).toEqual(keptFrames);
    const length = await durations(output);
    expect(length.video).toBeCloseTo(keptFrames.length * SECONDS_PER_FRAME, 3);
    expect(Math.abs(length.audio - length.video)).toBeLessThan(0.02);
    const sound = await decodeSamples(output);
    let at = 0;
    for (const { startSeconds, endSeconds } of kept) {
      const middle = (endSeconds - startSeconds) / 2 - 0.04;
      const delay = delayOf(
        sound,
        source,
        Math.round((at + middle) * SAMPLE_RATE),
        Math.round((startSeconds + middle) * SAMPLE_RATE),
      );
      expect(Math.abs(delay) / SAMPLE_RATE).toBeLessThan(0.001);
      at += frameOf(endSeconds) * SECONDS_PER_FRAME - frameOf(startSeconds) * SECONDS_PER_FRAME;
    }
  }
});

test("clips of a video lose their silences, and one without speech stays whole with a warning", async () => {
  const words = {
    fromSeconds: 0,
    likelihoods: detected.likelihoods.map((likelihood, step) => (step * 0.032 < 12 ? likelihood : 0)),
  };
  const outputs = await renderClip(file("clips"), {
    ...{ source: video, segmentation: { type: "multiple", segmentSeconds: 6 } },
    cut: (request) => cutSilences(request, new Map([[0, words]]), SETTINGS),
  });
  const lengths = outputs.map(({ durationSeconds }) => durationSeconds);
  expect(lengths[0]).toBeLessThan(4.5);
  expect(lengths[1]).toBeLessThan(4.5);
  expect(lengths[2]).toBeCloseTo(6, 1);
  const codes = outputs.map(({ warnings }) => [...warnings.values()].flat().map(({ code }) => code));
  expect(codes).toEqual([[], [], ["silences_not_cut"]]);
});
