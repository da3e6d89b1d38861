import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { runTestFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import type { ClipmillError } from "#contract/errors.ts";
import { guessPackets } from "./guess-packets.ts";
import { probe } from "./probe.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const clip = file("clip.mp4");
/** An empty MP4 box. */
const BOX = "\u0000\u0000\u0000\u0008free";
/** In the sample description, after twelve other bytes. */
const CODEC = /(?<=stsd[^]{12})avc1/;
await makeClip(clip, { seconds: 0.5 });

test("guesses for a plain MP4, with the sound before or after the picture, or none", async () => {
  await runTestFfmpeg(["-i", clip, "-map", "0:a", "-map", "0:v", "-c", "copy", file("sound-first.mp4")]);
  await runTestFfmpeg(["-i", clip, "-map", "0:v", "-c", "copy", file("silent.mp4")]);
  expect(await guessPackets(clip)).toMatchObject({ stream: 0, others: [1], decoded: [0, 1] });
  expect(await guessPackets(file("sound-first.mp4"))).toMatchObject({ stream: 1, others: [0], decoded: [1, 0] });
  expect(await guessPackets(file("silent.mp4"))).toMatchObject({ stream: 0, others: [], decoded: [0] });
});

test("guesses nothing for other files, and reads little of a hostile one", async () => {
  await runTestFfmpeg(["-i", clip, "-c", "copy", file("clip.mkv")]);
  await writeFile(file("boxes.mp4"), BOX.repeat(1_000_000));
  await writeFile(file("empty.mp4"), "");
  for (const name of ["clip.mkv", "boxes.mp4", "empty.mp4"])
    expect([name, await guessPackets(file(name))]).toEqual([name, null]);
});

test("a file that states a wrong codec is read as without a guess", async () => {
  const lying = (await readFile(clip, "latin1")).replace(CODEC, "hvc1");
  await writeFile(file("guessed.mp4"), lying, "latin1");
  // ffmpeg skips these boxes.
  await writeFile(file("not-guessed.mp4"), lying + BOX.repeat(20), "latin1");
  expect(await guessPackets(file("guessed.mp4"))).toMatchObject({ headerFilter: expect.stringContaining("hevc") });
  expect(await guessPackets(file("not-guessed.mp4"))).toBeNull();
  const tools = await testTools();
  const failureOf = (name: string) =>
    probe(tools, file(name)).catch((error: ClipmillError) => [error.code, error.message]);
  expect(await failureOf("guessed.mp4")).toEqual(await failureOf("not-guessed.mp4"));
});

test("a plain MP4 is described as without a guess", async () => {
  await writeFile(file("more-boxes.mp4"), (await readFile(clip, "latin1")) + BOX.repeat(20), "latin1");
  expect(await guessPackets(file("more-boxes.mp4"))).toBeNull();
  const tools = await testTools();
  expect(await probe(tools, clip)).toEqual(await probe(tools, file("more-boxes.mp4")));
});
