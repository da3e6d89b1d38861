import path from "node:path";
import { expect, test } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { durations, loudnessOf, probeFile, soundSamples, toneLevelDb } from "#tests/support/media/measure.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { sampleOf } from "#tests/support/media/sample.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const MUSIC_HZ = 1_000;
const LEVEL = 0.25;
const clip = file("clip.mp4");
await makeClip(clip, { width: 64, height: 64, seconds: 2, toneHz: 440, level: LEVEL });

/** Replaces the clip's sound, or mixes it with the track. */
async function renderWith(track: string, settings: object = {}): Promise<string> {
  const [output] = await renderClip(file(`${track}-out`), { source: clip, tracks: [file(track)], settings });
  return output!.path;
}

/** Input arguments, at the loops' frequency and level. */
const sine = (seconds: number, options: { rate?: number; level?: number; channels?: number } = {}) => {
  const { rate = 48_000, level = LEVEL, channels = 2 } = options;
  const wave = `${level}*sin(2*PI*${MUSIC_HZ}*t)`;
  return ["-f", "lavfi", "-i", `aevalsrc=exprs=${Array(channels).fill(wave).join("|")}:s=${rate}:d=${seconds}`];
};

test.each(
  sampleOf(
    [
      { name: "loop.wav", encode: ["-c:a", "pcm_s16le"] },
      { name: "loop-44k.wav", encode: ["-ar", "44100"] },
      { name: "loop.flac", encode: [] },
      { name: "loop.m4a", encode: ["-c:a", "aac", "-b:a", "192k"] },
      { name: "loop-44k.m4a", encode: ["-c:a", "aac", "-ar", "44100", "-b:a", "192k"] },
      { name: "loop.mp3", encode: ["-c:a", "libmp3lame", "-b:a", "192k"] },
      { name: "loop-44k.mp3", encode: ["-c:a", "libmp3lame", "-ar", "44100", "-b:a", "192k"] },
      { name: "loop.ogg", encode: ["-c:a", "libvorbis", "-q:a", "6"], loses: 128 },
      { name: "loop.opus", encode: ["-c:a", "libopus", "-b:a", "192k"] },
      { name: "loop.webm", encode: ["-c:a", "libopus", "-b:a", "192k"] },
      { name: "loop.mka", encode: ["-c:a", "aac", "-b:a", "192k"] },
      { name: "loop.aac", encode: ["-c:a", "aac", "-b:a", "192k"] },
    ],
    ["loop.wav", "loop-44k.m4a", "loop.mp3", "loop.ogg", "loop.opus"],
  ),
)("$name loops without a gap or a click", async ({ name, encode, loses }) => {
  // whole periods, so that a seamless loop is one long tone
  await runTestFfmpeg([...sine(0.5), ...encode, file(name)]);
  const samples = await soundSamples(await renderWith(name), { fromSeconds: 0.1, toSeconds: 1.9 });
  const { quietest, roughest } = describeTone(samples);
  expect(quietest).toBeGreaterThan(LEVEL * 0.85);
  // ffmpeg drops the first samples of Vorbis: the tone jumps without a silence
  expect(roughest).toBeLessThan(loses ? LEVEL : 0.03);
});

/**
 * Returns the lowest amplitude of any 5 ms, and the largest deviation of a sample from the sine through the two before
 * it.
 */
function describeTone(samples: Float32Array): { quietest: number; roughest: number } {
  const window = 240;
  const amplitudes = Array.from({ length: Math.floor(samples.length / window) }, (_, i) =>
    Math.sqrt((samples.subarray(i * window, (i + 1) * window).reduce((sum, s) => sum + s * s, 0) / window) * 2),
  );
  const turn = 2 * Math.cos((2 * Math.PI * MUSIC_HZ) / 48_000);
  let roughest = 0;
  for (let i = 2; i < samples.length; i++)
    roughest = Math.max(roughest, Math.abs(samples[i]! - turn * samples[i - 1]! + samples[i - 2]!));
  return { quietest: Math.min(...amplitudes), roughest };
}

test.each(
  sampleOf(
    [
      { name: "phone.wav", input: sine(3, { rate: 8_000, channels: 1 }), encode: [] },
      { name: "studio.wav", input: sine(3, { rate: 96_000 }), encode: ["-c:a", "pcm_f32le"] },
      { name: "surround.ac3", input: sine(3, { channels: 6 }), encode: ["-ac", "6"], range: [-14, -4] },
      { name: "browser.webm", input: sine(3), encode: ["-c:a", "libopus"] },
      { name: "lossless.m4a", input: sine(3), encode: ["-c:a", "alac"] },
      { name: "windows.wma", input: sine(3), encode: ["-c:a", "wmav2", "-b:a", "192k"] },
      { name: "apple.aiff", input: sine(3), encode: [] },
      { name: "apple.caf", input: sine(3), encode: [] },
      { name: "unsigned.wav", input: sine(3), encode: ["-c:a", "pcm_u8"] },
    ],
    ["phone.wav", "surround.ac3", "browser.webm", "windows.wma", "unsigned.wav"],
  ),
)("$name keeps its loudness", async ({ name, input, encode, range }) => {
  await runTestFfmpeg([...input, ...encode, file(name)]);
  const output = await renderWith(name);
  const level = await toneLevelDb(output, MUSIC_HZ, { fromSeconds: 0.3, toSeconds: 1.7 });
  const [least, most] = range ?? [20 * Math.log10(LEVEL) - 1, 20 * Math.log10(LEVEL) + 1];
  expect(level).toBeGreaterThan(least!);
  expect(level).toBeLessThan(most!);
  const lengths = await durations(output);
  expect(Math.abs(lengths.audio - 2)).toBeLessThan(0.025);
});

test.each(
  sampleOf(
    [
      { name: "covered.flac", encode: ["-c:a", "flac", "-c:v", "png"] },
      { name: "covered.mp3", encode: ["-c:a", "libmp3lame", "-c:v", "mjpeg"] },
      { name: "covered.m4a", encode: ["-c:a", "aac", "-c:v", "mjpeg"] },
    ],
    ["covered.mp3", "covered.m4a"],
  ),
)("the cover picture of $name is ignored", async ({ name, encode }) => {
  await runTestFfmpeg(["-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", "-update", "1", file("cover.png")]);
  const maps = ["-i", file("cover.png"), "-map", "0:a", "-map", "1:v", "-disposition:v", "attached_pic"];
  await runTestFfmpeg([...sine(0.5), ...maps, ...encode, file(name)]);
  const output = await renderWith(name);
  expect(await toneLevelDb(output, MUSIC_HZ, { fromSeconds: 0.3, toSeconds: 1.7 })).toBeGreaterThan(-14);
  expect((await probeFile(output)).streams.map(({ codec }) => codec)).toEqual(["h264", "aac"]);
});

test("the sound of a longer video works as music, cut to length", async () => {
  await makeClip(file("other.mp4"), { width: 64, height: 64, seconds: 3, toneHz: MUSIC_HZ, level: LEVEL });
  const output = await renderWith("other.mp4");
  const samples = await soundSamples(output);
  expect(Math.abs(samples.length / 48_000 - 2)).toBeLessThan(0.025);
  // fades out only over the last 20 ms
  expect(loudest(samples, 1.95, 1.975)).toBeGreaterThan(LEVEL * 0.8);
  expect(loudest(samples, 1.998, 2)).toBeLessThan(LEVEL * 0.15);
});

test.each([
  { name: "two full sines", wave: "sin(2*PI*440*t)", music: "sin(2*PI*1000*t)" },
  {
    name: "mastered music",
    wave: "clip(3*(random(0)+random(1)+random(2)-1.5),-1,1)*sin(2*PI*3*t)",
    music: "clip(4*sin(2*PI*110*t)+2*sin(2*PI*555*t),-1,1)",
  },
])("$name at gains 1 + 1 stay below full scale between the samples too", async ({ name, wave, music }) => {
  const source = file(`${name}.mp4`);
  const picture = ["-f", "lavfi", "-i", "color=gray:s=64x64:r=10:d=1"];
  const encode = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le", "-f", "mov"];
  await runTestFfmpeg([...picture, ...secondOf(wave), ...encode, source]);
  await runTestFfmpeg([...secondOf(music), file(`${name}.wav`)]);
  const mix = { audio_mode: "mix", video_gain: 1, music_gain: 1 } as const;
  const [output] = await renderClip(file(`${name}-out`), { source, tracks: [file(`${name}.wav`)], settings: mix });
  const { truePeakDb: peak } = await loudnessOf(output!.path);
  expect(peak).toBeLessThan(0);
  expect(peak).toBeGreaterThan(-6);
});

/** Input arguments, in stereo. */
const secondOf = (expression: string) => ["-f", "lavfi", "-i", `aevalsrc='${expression}|${expression}':s=48000:d=1`];

test("clips cut from the middle start and end without a click", async () => {
  const segmentation = { type: "multiple", segmentSeconds: 0.7 } as const;
  const outputs = await renderClip(file("cuts"), { source: clip, segmentation });
  const clips = await Promise.all(outputs.map(({ path: output }) => soundSamples(output)));
  expect(clips).toHaveLength(2);
  // the milliseconds beside the cut, in a 20 ms fade
  expect(loudest(clips[0]!, 0.699, 0.7)).toBeLessThan(LEVEL * 0.1);
  expect(loudest(clips[1]!, 0, 0.001)).toBeLessThan(LEVEL * 0.1);
  expect(loudest(clips[0]!, 0, 0.67)).toBeGreaterThan(LEVEL * 0.9);
  expect(loudest(clips[1]!, 0.025, 0.7)).toBeGreaterThan(LEVEL * 0.9);
});

function loudest(samples: Float32Array, from: number, to: number): number {
  return samples.subarray(from * 48_000, to * 48_000).reduce((most, s) => Math.max(most, Math.abs(s)), 0);
}
