import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { durations, probeFile, soundSamples, toneLevelDb } from "#tests/support/media/measure.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const clip = file("clip.mp4");
const music = file("music.m4a");
const VIDEO_HZ = 440;
const MUSIC_HZ = 1_000;
/** Avoids the fades at both ends. */
const MIDDLE = { fromSeconds: 0.3, toSeconds: 1.7 };
await makeClip(clip, { seconds: 2, toneHz: VIDEO_HZ, level: 0.25 });
await makeTone(music, { frequencyHz: MUSIC_HZ, seconds: 3, level: 0.25 });
const decibels = (amplitude: number) => 20 * Math.log10(amplitude);

test("mix: each tone plays at its gain, and the picture is unchanged", async () => {
  const settings = { audio_mode: "mix", video_gain: 0.5, music_gain: 0.8 } as const;
  const [output] = await renderClip(file("mix"), { source: clip, tracks: [music], settings });
  expect(Math.abs((await toneLevelDb(output!.path, VIDEO_HZ, MIDDLE)) - decibels(0.25 * 0.5))).toBeLessThan(1);
  expect(Math.abs((await toneLevelDb(output!.path, MUSIC_HZ, MIDDLE)) - decibels(0.25 * 0.8))).toBeLessThan(1);
  const length = await durations(output!.path);
  expect(Math.abs(length.video - 2)).toBeLessThan(0.05);
  expect(Math.abs(length.audio - length.video)).toBeLessThan(0.03);
});

test("replace: only the music plays, at its gain", async () => {
  const [output] = await renderClip(file("replace"), { source: clip, tracks: [music], settings: { music_gain: 0.5 } });
  expect(await toneLevelDb(output!.path, VIDEO_HZ, MIDDLE)).toBeLessThan(-60);
  expect(Math.abs((await toneLevelDb(output!.path, MUSIC_HZ, MIDDLE)) - decibels(0.25 * 0.5))).toBeLessThan(1);
  const { streams } = await probeFile(output!.path);
  expect(streams[1]).toMatchObject({ type: "audio", codec: "aac", sampleRate: 48_000, channels: 2 });
});

test("a mono track of another rate keeps its loudness", async () => {
  await makeTone(file("mono.mp3"), { frequencyHz: MUSIC_HZ, seconds: 3, sampleRate: 22_050, channels: 1 });
  const [output] = await renderClip(file("mono"), { source: clip, tracks: [file("mono.mp3")] });
  expect(Math.abs((await toneLevelDb(output!.path, MUSIC_HZ, MIDDLE)) - decibels(0.25))).toBeLessThan(1);
});

test.each<("mono" | "stereo" | "5.1")[]>([
  ["mono", "stereo"],
  ["stereo", "mono"],
  ["5.1", "stereo"],
])("a track that changes from %s to %s keeps its loudness", async (...layouts) => {
  const tone = `0.25*sin(2*PI*${MUSIC_HZ}*t)`;
  // Of surround sound, only the left front, which downmixing does not change.
  const channels = { mono: [tone], stereo: [tone, tone], "5.1": [tone, 0, 0, 0, 0, 0] };
  const parts = layouts.map(async (layout) => {
    const part = file(`${layout}.aac`);
    const source = `aevalsrc=exprs=${channels[layout].join("|")}:c=${layout}:s=48000:d=1`;
    await runTestFfmpeg(["-f", "lavfi", "-i", source, "-b:a", "320k", part]);
    return await readFile(part);
  });
  const track = file(`${layouts.join("-")}.aac`);
  await writeFile(track, Buffer.concat(await Promise.all(parts)));
  const [output] = await renderClip(file(layouts.join("-")), { source: clip, tracks: [track] });
  for (const fromSeconds of [0.3, 1.3]) {
    const level = await toneLevelDb(output!.path, MUSIC_HZ, { fromSeconds, toSeconds: fromSeconds + 0.4 });
    expect(Math.abs(level - decibels(0.25))).toBeLessThan(0.5);
  }
});

test("loud parts at full gain do not clip", async () => {
  await makeClip(file("loud.mp4"), { seconds: 1, toneHz: VIDEO_HZ, level: 0.9 });
  await makeTone(file("loud.wav"), { frequencyHz: MUSIC_HZ, seconds: 1, level: 0.9 });
  const settings = { audio_mode: "mix", video_gain: 1, music_gain: 1 } as const;
  const [output] = await renderClip(file("loud"), { source: file("loud.mp4"), tracks: [file("loud.wav")], settings });
  const peak = (await soundSamples(output!.path)).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  expect(peak).toBeLessThan(1);
  expect(peak).toBeGreaterThan(0.75);
});

test("short music loops without a gap", async () => {
  // Whole periods, so that a seamless loop is one tone.
  await makeTone(file("short.m4a"), { frequencyHz: MUSIC_HZ, seconds: 0.5 });
  const [output] = await renderClip(file("loop"), { source: clip, tracks: [file("short.m4a")] });
  for (const seam of [0.5, 1, 1.5]) {
    const samples = await soundSamples(output!.path, { fromSeconds: seam - 0.03, toSeconds: seam + 0.03 });
    expect(quietestMillisecond(samples)).toBeGreaterThan(0.15);
  }
});

test.each([
  ["long-picture.mp4", "aac", 0],
  ["late-sound.mov", "pcm_s16le", 0.7],
])("short sound of a longer video loops without a gap (%s, %s, %s s late)", async (name, codec, delay) => {
  await makeTone(file("tone.wav"), { frequencyHz: MUSIC_HZ, seconds: 0.5 });
  const inputs = ["-i", clip, "-itsoffset", String(delay), "-i", file("tone.wav")];
  await runTestFfmpeg([...inputs, "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", codec, file(name)]);
  const [output] = await renderClip(file(`loop-${name}`), { source: clip, tracks: [file(name)] });
  const samples = await soundSamples(output!.path, { fromSeconds: 0.1, toSeconds: 1.9 });
  expect(quietestMillisecond(samples)).toBeGreaterThan(0.15);
});

test("short music ends in silence when loop is off", async () => {
  await makeTone(file("once.wav"), { frequencyHz: MUSIC_HZ, seconds: 0.5 });
  const [output] = await renderClip(file("once"), {
    source: clip,
    tracks: [file("once.wav")],
    settings: { loop_audio: false },
  });
  expect(await toneLevelDb(output!.path, MUSIC_HZ, { fromSeconds: 0.1, toSeconds: 0.4 })).toBeGreaterThan(-14);
  expect(await toneLevelDb(output!.path, MUSIC_HZ, { fromSeconds: 0.7, toSeconds: 1.9 })).toBeLessThan(-60);
  expect(Math.abs((await durations(output!.path)).audio - 2)).toBeLessThan(0.03);
});

test("a silent video counts as silence in a mix", async () => {
  await makeClip(file("silent.mp4"), { seconds: 1, toneHz: null });
  const [output] = await renderClip(file("silent"), {
    source: file("silent.mp4"),
    tracks: [music],
    settings: { audio_mode: "mix" },
  });
  const middle = { fromSeconds: 0.2, toSeconds: 0.8 };
  expect(Math.abs((await toneLevelDb(output!.path, MUSIC_HZ, middle)) - decibels(0.25))).toBeLessThan(1);
  expect(Math.abs((await durations(output!.path)).audio - 1)).toBeLessThan(0.03);
});

test("without music the video keeps its own sound", async () => {
  const [output] = await renderClip(file("own"), { source: clip, captions: ["Hello"] });
  expect(Math.abs((await toneLevelDb(output!.path, VIDEO_HZ, MIDDLE)) - decibels(0.25))).toBeLessThan(1);
});

test("sound stays in sync with its picture", async () => {
  const beep = "aevalsrc=exprs='0.5*gte(t,1)*sin(2*PI*1000*t)':s=44100:d=2";
  const inputs = ["-i", clip, "-f", "lavfi", "-i", beep];
  await runTestFfmpeg([...inputs, "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac", file("click.mp4")]);
  const [output] = await renderClip(file("click"), { source: file("click.mp4"), captions: ["Hello"] });
  const samples = await soundSamples(output!.path);
  const start = samples.findIndex((sample) => Math.abs(sample) > 0.1) / 48_000;
  expect(Math.abs(start - 1)).toBeLessThan(0.02);
});

function quietestMillisecond(samples: Float32Array): number {
  const peaks = Array.from({ length: Math.floor(samples.length / 48) }, (_, i) =>
    samples.subarray(i * 48, (i + 1) * 48).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  );
  return Math.min(...peaks);
}
