/** Each file is rejected with an error, or delivered with a warning that states how much is missing. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { probe } from "#media/probe/probe.ts";
import type { RenderedOutput } from "#media/render/render.ts";
import { extractStill } from "#media/stills/preview.ts";
import { drawSourceThumbnail } from "#media/stills/source-thumbnail.ts";
import { loseFrames, losePackets, loseSamples, samplesOf } from "#tests/support/media/faulty/broken-media.ts";
import { flipBits } from "#tests/support/media/faulty/damage.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { durations, framePixels } from "#tests/support/media/measure.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { renderClip, type ClipRequest } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const GOP = ["-g", "25", "-bf", "0"];
const CLIP = { width: 160, height: 90, framesPerSecond: 25, seconds: 3, outputOptions: GOP };

beforeAll(async () => {
  await makeClip(file("whole.mp4"), CLIP);
  await makeClip(file("fast.mp4"), { ...CLIP, outputOptions: [...GOP, "-movflags", "+faststart"] });
  await makeClip(file("whole.ts"), CLIP);
  await makeClip(file("long.ts"), { ...CLIP, seconds: 8 });
  await makeTone(file("music.m4a"), { frequencyHz: 500, seconds: 3 });
});

/** Returns warnings and length in seconds, or the error message. */
async function outcomeOf(name: string, request: Partial<ClipRequest> = { watermark: "@" }) {
  const folderName = `${name}-${Object.keys(request).join("-")}`;
  try {
    const [output] = (await renderClip(file(folderName), { source: file(name), ...request })) as [RenderedOutput];
    const warnings = [...output.warnings.values()].flat().map(({ message }) => message);
    return { warnings, seconds: (await durations(output.path)).video };
  } catch (error) {
    return { rejected: (error as Error).message };
  }
}

const DAMAGED = { rejected: "The video file is damaged or incomplete." };
const delivered = (...warnings: (string | RegExp)[]) => ({
  warnings: warnings.map((warning): unknown =>
    typeof warning === "string" ? warning : expect.stringMatching(warning),
  ),
  seconds: expect.closeTo(3, 1) as number,
});
const HALF_OF_FRAMES = delivered("About half of this video's frames are missing or damaged.");
const isOdd = (i: number): boolean => i % 2 === 1;

test("half of the frames are zeroed: delivered with a warning, drawn or copied", async () => {
  await loseSamples(file("whole.mp4"), file("half.mp4"), "vide", isOdd);
  expect(await outcomeOf("half.mp4")).toEqual(HALF_OF_FRAMES);
  expect(await outcomeOf("half.mp4", {})).toEqual({ ...HALF_OF_FRAMES, seconds: expect.closeTo(3, 0) });
});

test("the second half of the frames is zeroed: the last intact frame is held, with a warning", async () => {
  await loseSamples(file("whole.mp4"), file("tail.mp4"), "vide", (i, count) => i >= count / 2);
  expect(await outcomeOf("tail.mp4")).toEqual(HALF_OF_FRAMES);
  expect(await outcomeOf("tail.mp4", {})).toEqual(HALF_OF_FRAMES);
  const segmentation = { type: "multiple", segmentSeconds: 1 } as const;
  const segments = await renderClip(file("tail-segments"), { source: file("tail.mp4"), segmentation });
  expect(await Promise.all(segments.map(async (segment) => (await durations(segment.path)).video))).toEqual([1, 1, 1]);
});

test("three broken frames, too few to notice: no warning", async () => {
  await loseSamples(file("whole.mp4"), file("few.mp4"), "vide", (i) => i > 20 && i < 24);
  expect(await outcomeOf("few.mp4")).toEqual(delivered());
});

test("hardly any intact frame: rejected", async () => {
  await loseSamples(file("whole.mp4"), file("none.mp4"), "vide", (i) => i % 6 > 0);
  expect(await outcomeOf("none.mp4")).toEqual(DAMAGED);
  await loseSamples(file("whole.mp4"), file("zeros.mp4"), "vide", () => true);
  expect(await outcomeOf("zeros.mp4")).toEqual(DAMAGED);
});

test("a truncated download: rejected, with and without its index", async () => {
  for (const [name, whole] of Object.entries({ "no-index.mp4": "whole.mp4", "index.mp4": "fast.mp4" })) {
    const bytes = await readFile(file(whole));
    await writeFile(file(name), bytes.subarray(0, bytes.length / 2));
    expect(await outcomeOf(name)).toEqual(DAMAGED);
  }
});

test("a download truncated just before its end: delivered with a warning, drawn or copied", async () => {
  const outputOptions = ["-movflags", "+faststart", "-bf", "0", "-g", "10"];
  const clip = { width: 64, height: 64, framesPerSecond: 10, seconds: 30, toneHz: null, outputOptions };
  await makeClip(file("long.mp4"), clip);
  const bytes = await readFile(file("long.mp4"));
  await writeFile(file("short.mp4"), bytes.subarray(0, samplesOf(bytes, "vide")[288]!.offset));
  const warnings = ["The last 1.2 seconds of this video are missing."];
  expect(await outcomeOf("short.mp4", {})).toEqual({ warnings, seconds: expect.closeTo(28.8, 5) });
  // its last frame is held for a moment
  const ended = { warnings: [expect.stringMatching(/^The last (?:1\.0|0\.\d) seconds of this video are missing\.$/)] };
  expect(await outcomeOf("short.mp4")).toMatchObject(ended);
});

test("half of the sound is zeroed: delivered with a warning, drawn or copied", async () => {
  await loseSamples(file("whole.mp4"), file("half-sound.mp4"), "soun", isOdd);
  const warning = "About half of this video's sound is missing or damaged.";
  expect(await outcomeOf("half-sound.mp4")).toEqual(delivered(warning));
  expect(await outcomeOf("half-sound.mp4", {})).toEqual(delivered(warning));
});

test("all of the sound is zeroed: rejected unless music replaces it", async () => {
  await loseSamples(file("whole.mp4"), file("mute.mp4"), "soun", () => true);
  const rejection = { rejected: "The sound of the video is damaged or incomplete." };
  expect(await outcomeOf("mute.mp4")).toEqual(rejection);
  expect(await outcomeOf("mute.mp4", {})).toEqual(rejection);
  const tracks = [file("music.m4a")];
  expect(await outcomeOf("mute.mp4", { watermark: "@", tracks })).toEqual(delivered());
});

test("half of the music is zeroed: delivered with a warning", async () => {
  await loseSamples(file("music.m4a"), file("half.m4a"), "soun", isOdd);
  const request = { tracks: [file("half.m4a")], watermark: "@" };
  expect(await outcomeOf("whole.mp4", request)).toEqual(delivered("About half of the music is missing or damaged."));
});

test("flipped bits: delivered with a warning", async () => {
  const whole = await readFile(file("whole.mp4"));
  await writeFile(file("flipped.mp4"), flipBits(whole, { seed: 4, flips: 40, from: 0.1, to: 0.9 }));
  expect(await outcomeOf("flipped.mp4")).toEqual(
    delivered(/^About [a-z0-9% ]+ of this video's frames are missing or damaged\.$/, /^About .* of this video's sound/),
  );
});

test("every fiftieth packet of a transport stream is lost: delivered with a warning", async () => {
  await losePackets(file("whole.ts"), file("lossy.ts"), (i) => i % 50 === 49);
  const { warnings } = (await outcomeOf("lossy.ts")) as { warnings: string[] };
  expect(warnings[0]).toMatch(/^About [a-z0-9% ]+ of this video's frames are missing or damaged\.$/);
});

test("a third of a transport stream is missing: delivered at full length, with a warning", async () => {
  await losePackets(file("whole.ts"), file("hole.ts"), (i, count) => i > count / 3 && i < (count * 2) / 3);
  const both = ["About a third of this video's frames are missing or damaged.", /^About a third of this video's sound/];
  expect(await outcomeOf("hole.ts")).toEqual(delivered(...both));
});

test("only segments with missing packets have a warning", async () => {
  await losePackets(file("whole.ts"), file("late-hole.ts"), (i, count) => i > count * 0.4 && i < count * 0.6);
  const segmentation = { type: "multiple", segmentSeconds: 1 } as const;
  const segments = await renderClip(file("hole-segments"), { source: file("late-hole.ts"), segmentation });
  const codes = segments.map(({ warnings }) => [...warnings.values()].flat().map(({ code }) => code));
  expect(codes).toEqual([[], ["picture_damaged", "sound_damaged"], []]);
});

test.each([
  // nothing marks a loss at the end of the file
  { percent: 10, words: /^About (?:9|10)% of this video's frames are missing or damaged\.$/ },
  { percent: 25, words: /^About a quarter of this video's frames are missing or damaged\.$/ },
  { percent: 50, words: /^About half of this video's frames are missing or damaged\.$/ },
])("$percent % of a transport stream's frames are lost: the warning states it", async ({ percent, words }) => {
  const isLost = (frame: number) => frame > 2 && Math.floor(((frame + 1) * percent) / 100) > (frame * percent) / 100;
  await loseFrames(file("long.ts"), file(`lost-${percent}.ts`), isLost);
  const { warnings } = (await outcomeOf(`lost-${percent}.ts`)) as { warnings: string[] };
  expect(warnings).toEqual([expect.stringMatching(words)]);
});

test("six intact recordings joined as bytes: no warning", async () => {
  const bytes = await readFile(file("whole.ts"));
  await writeFile(file("joined.ts"), Buffer.concat(Array.from({ length: 6 }, () => bytes)));
  expect(await outcomeOf("joined.ts")).toMatchObject({ warnings: [], seconds: expect.closeTo(18, 0) });
});

test("a transport stream that starts between keyframes: no warning", async () => {
  await losePackets(file("whole.ts"), file("begun.ts"), (i, count) => i > 3 && i < count / 10);
  expect(await outcomeOf("begun.ts")).toMatchObject({ warnings: [] });
});

test("damaged sources have a preview and a thumbnail", async () => {
  await loseSamples(file("whole.mp4"), file("tail.mp4"), "vide", (i, count) => i >= count / 2);
  await loseSamples(file("whole.mp4"), file("head.mp4"), "vide", (i, count) => i > 0 && i < count * 0.6);
  await losePackets(file("whole.ts"), file("lost-start.ts"), (i, count) => i > count * 0.1 && i < count * 0.6);
  await writeFile(
    file("clocks.ts"),
    Buffer.concat([await readFile(file("whole.ts")), await readFile(file("long.ts"))]),
  );
  const tools = await testTools();
  const signal = new AbortController().signal;
  const missing: string[] = [];
  for (const name of ["head.mp4", "tail.mp4", "lost-start.ts", "clocks.ts"]) {
    const run = { folder: await mkdtemp(file("still-")), signal };
    const source = { path: file(name), probe: await probe(tools, file(name)), revision: name };
    const still = await framePixels(await extractStill(tools, source, run), 0);
    if (still.width !== 160) missing.push(`the still of ${name}`);
    if ((await drawSourceThumbnail(tools, source, run)).length < 500) missing.push(`the thumbnail of ${name}`);
  }
  expect(missing).toEqual([]);
});
