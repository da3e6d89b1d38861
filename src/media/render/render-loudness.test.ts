import path from "node:path";
import { expect, test } from "vitest";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { durations, loudnessOf, soundSamples, toneLevelDb } from "#tests/support/media/measure.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const VOICE_HZ = 440;
const MUSIC_HZ = 5_000;
const SMALL = { width: 64, height: 64, framesPerSecond: 10 };

async function expectLevel(output: string, targetLufs: number): Promise<void> {
  const { integratedLufs, truePeakDb } = await loudnessOf(output);
  expect(Math.abs(integratedLufs - targetLufs)).toBeLessThanOrEqual(0.5);
  expect(truePeakDb).toBeLessThan(-1);
}

test("mixes of quiet, steady and peaky music all reach the target, with peaks below -1 dBTP", async () => {
  await makeClip(file("clip.mp4"), { ...SMALL, seconds: 3, toneHz: VOICE_HZ, level: 0.05 });
  await makeTone(file("quiet.wav"), { frequencyHz: 1_000, seconds: 3, level: 0.01 });
  const drums =
    "aevalsrc=exprs='0.9*exp(-30*mod(t\\,0.5))*(random(0)-0.5)|0.9*exp(-30*mod(t\\,0.5))*(random(1)-0.5)':d=3";
  await runTestFfmpeg(["-f", "lavfi", "-i", drums, file("drums.wav")]);
  const tracks = [file("quiet.wav"), file("drums.wav")];
  const settings = { audio_mode: "mix", loudness_lufs: -14 } as const;
  const outputs = await renderClip(file("mixes"), { source: file("clip.mp4"), tracks, variants: 2, settings });
  for (const output of outputs) {
    await expectLevel(output.path, -14);
    expect(Math.abs((await durations(output.path)).audio - 3)).toBeLessThan(0.03);
  }
});

test("the video's own sound reaches the target too, in each segment", async () => {
  await makeClip(file("own.mp4"), { ...SMALL, seconds: 2, toneHz: VOICE_HZ, level: 0.9 });
  const segmentation = { type: "multiple", segmentSeconds: 1 } as const;
  const request = { source: file("own.mp4"), segmentation, settings: { loudness_lufs: -16.5 } };
  const outputs = await renderClip(file("own"), request);
  expect(outputs).toHaveLength(2);
  for (const { path: output } of outputs) await expectLevel(output, -16.5);
});

test("silence, and sounds too short to measure, stay as they are", async () => {
  const settings = { loudness_lufs: -14 };
  await makeClip(file("silent.mp4"), { ...SMALL, seconds: 1, level: 0 });
  const [silent] = await renderClip(file("silent"), { source: file("silent.mp4"), settings });
  expect((await soundSamples(silent!.path)).every((sample) => Math.abs(sample) < 1e-4)).toBe(true);
  await makeClip(file("short.mp4"), { ...SMALL, seconds: 0.3, toneHz: VOICE_HZ, level: 0.1 });
  const [short] = await renderClip(file("short"), { source: file("short.mp4"), settings });
  const range = { fromSeconds: 0.05, toSeconds: 0.25 };
  expect(Math.abs((await toneLevelDb(short!.path, VOICE_HZ, range)) - -20)).toBeLessThan(1);
});

test("ducking lowers music by its amount while a voice is heard, loud or quiet, and lets it up again", async () => {
  const words = "aevalsrc=exprs=sin(2*PI*440*t)*(0.5*between(t\\,1\\,2)+0.02*between(t\\,4\\,5)):s=48000:d=5";
  const picture = ["-f", "lavfi", "-i", "color=s=64x64:r=10:d=7", "-f", "lavfi", "-i", words];
  await runTestFfmpeg([...picture, "-c:v", "libx264", "-c:a", "aac", file("words.mp4")]);
  await makeTone(file("music.wav"), { frequencyHz: MUSIC_HZ, seconds: 8, level: 0.25 });
  const settings = { audio_mode: "mix", ducking_db: 12 } as const;
  const tracks = [file("music.wav")];
  const [output] = await renderClip(file("ducked"), { source: file("words.mp4"), tracks, settings });
  const musicAt = (fromSeconds: number) =>
    toneLevelDb(output!.path, MUSIC_HZ, { fromSeconds, toSeconds: fromSeconds + 0.5 });
  const full = await musicAt(0.3);
  expect(Math.abs(full - 20 * Math.log10(0.25))).toBeLessThan(0.5);
  for (const spoken of [1.3, 4.3]) expect(Math.abs((await musicAt(spoken)) - (full - 12))).toBeLessThan(1);
  for (const pause of [3.3, 6.3]) expect(Math.abs((await musicAt(pause)) - full)).toBeLessThan(0.5);
});
