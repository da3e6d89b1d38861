import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { addTrack, EXTRA_TRACKS, ROOM_IN_FRONT } from "#tests/support/media/add-track.ts";
import { createSlots } from "#ground/slots.ts";
import { describeExcerpt } from "#media/excerpt/describe-excerpt.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { runTestFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { probe } from "./probe.ts";

const SECONDS = 2;
/** ffmpeg ignores data that lasts a second longer. */
const LENGTHS = [0.6, SECONDS + 0.7, SECONDS + 3];

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const tools = await testTools();
const clip = file("clip.mp4");
await makeClip(clip, { width: 64, height: 64, seconds: SECONDS, outputOptions: ROOM_IN_FRONT });

async function lengthOf(name: string): Promise<number> {
  return (await probe(tools, file(name))).durationSeconds;
}

async function truncate(name: string): Promise<string> {
  const bytes = await readFile(file(name));
  await writeFile(file(`cut-${name}`), bytes.subarray(0, bytes.length * 0.55));
  return `cut-${name}`;
}

const kinds = Object.keys(EXTRA_TRACKS) as (keyof typeof EXTRA_TRACKS)[];

test.each(kinds)("beside %s, a video keeps its length, and a missing end is noticed", async (kind) => {
  for (const seconds of LENGTHS) {
    const name = `${kind}-${seconds}.mp4`;
    await addTrack(clip, file(name), kind, seconds);
    expect([name, await lengthOf(name)]).toEqual([name, expect.closeTo(SECONDS, 2)]);
    // The length that the header states lets the render find the missing part.
    const cut = await truncate(name);
    expect([cut, await lengthOf(cut)]).toEqual([cut, expect.closeTo(SECONDS, 2)]);
  }
});

test("a check before the job states the length of picture and sound", async () => {
  await addTrack(clip, file("telemetry.mp4"), "telemetry", SECONDS + 0.7);
  const excerpt = { isWhole: true, header: "readable", hasLength: true, hasFirstFrame: false } as const;
  const run = { folder, signal: new AbortController().signal, slots: createSlots(1) };
  const facts = await describeExcerpt(tools, { ...excerpt, path: file("telemetry.mp4") }, run);
  expect(facts?.durationSeconds).toBeCloseTo(SECONDS, 2);
});

test.each([1, SECONDS + 0.7])("subtitles until %d s do not change the length of a Matroska file", async (seconds) => {
  const name = `subtitles-${seconds}.mkv`;
  await writeFile(file("text.srt"), `1\n00:00:00,100 --> 00:00:0${seconds.toFixed(3).replace(".", ",")}\nHi\n\n`);
  await runTestFfmpeg(["-i", clip, "-i", file("text.srt"), "-map", "0", "-map", "1", "-c", "copy", file(name)]);
  expect(await lengthOf(name)).toBeCloseTo(SECONDS, 1);
});

test("finds that the end of a Matroska file with subtitles is missing", async () => {
  await writeFile(file("early.srt"), "1\n00:00:00,100 --> 00:00:00,500\nHi\n\n");
  const inputs = ["-i", clip, "-i", file("early.srt")];
  await runTestFfmpeg([...inputs, "-map", "0", "-map", "1", "-c", "copy", file("early.mkv")]);
  expect(await lengthOf(await truncate("early.mkv"))).toBeCloseTo(SECONDS, 1);
});
