import { mkdir, readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { createReadStream } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { sha256Of } from "#ground/checksum.ts";
import { readMp4Summary } from "#media/conformance/mp4-summary.ts";
import { encoderArguments } from "#media/plan/arguments/encoder-arguments.ts";
import { durations, probeFile, readDecodeErrors } from "#tests/support/media/measure.ts";
import { readTestFfmpeg, runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { endAt, withoutEdits, readTrack, type Track } from "./track.ts";
import { writeMovie } from "./write-movie.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const AAC = ["-c:a", "aac", "-aac_coder", "fast", "-ar", "48000", "-ac", "2", "-f", "mp4"];
const SECONDS = (60 * 1_001) / 30_000;

await Promise.all([
  // Noise causes frame reordering.
  runTestFfmpeg([
    ...["-f", "lavfi", "-i", "testsrc2=s=160x120:r=30000/1001,noise=alls=20:allf=t", "-frames:v", "60"],
    ...[...encoderArguments("high", 1), "-bf", "3", "-f", "mp4", file("picture.mp4")],
  ]),
  runTestFfmpeg(["-f", "lavfi", "-i", `sine=f=440:r=48000:d=${SECONDS}`, ...AAC, file("sound.m4a")]),
  runTestFfmpeg(["-f", "lavfi", "-i", "sine=f=440:r=48000:d=3.5", ...AAC, file("long.m4a")]),
]);
const takeTrack = async (name: string): Promise<Track> => (await readTrack(file(name)))!;
const [picture, sound, long] = await Promise.all(["picture.mp4", "sound.m4a", "long.m4a"].map(takeTrack));

/** Stream, times in seconds, size, checksum, flags. */
async function packetsOf(name: string): Promise<string[]> {
  const { stdout } = await readTestFfmpeg([
    "-v",
    "error",
    "-i",
    file(name),
    "-map",
    "0",
    "-c",
    "copy",
    "-f",
    "framecrc",
    "-",
  ]);
  const lines = Buffer.from(stdout).toString().split("\n");
  const units = lines.flatMap((line) => /^#tb \d: 1\/(\d+)$/.exec(line)?.[1] ?? []).map(Number);
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [stream, decoded, shown, duration, ...rest] = line.split(",").map((field) => field.trim());
      const times = [decoded, shown, duration].map((time) => (Number(time) / units[Number(stream)]!).toFixed(5));
      return [stream, ...times, ...rest].join(" ");
    });
}

async function decodedFrames(name: string): Promise<string> {
  const { stdout } = await readTestFfmpeg(["-v", "error", "-i", file(name), "-map", "0", "-f", "framemd5", "-"]);
  return Buffer.from(stdout)
    .toString()
    .replaceAll(/^#.*\n/gm, "");
}

async function copyTo(name: string, inputs: string[], ...options: string[]): Promise<void> {
  const opened = inputs.flatMap((input) => ["-i", file(input)]);
  const maps = inputs.flatMap((_, i) => ["-map", `${i}:0`]);
  const flags = options.length > 0 ? options : ["-movflags", "+faststart"];
  await runTestFfmpeg([...opened, ...maps, "-c", "copy", "-map_metadata", "-1", ...flags, "-f", "mp4", file(name)]);
}

test("a file has the packets, times and decoded samples of ffmpeg's, with the index in front", async () => {
  await copyTo("theirs.mp4", ["picture.mp4", "sound.m4a"]);
  const written = await writeMovie([picture!, sound!], file("ours.mp4"));
  expect(await packetsOf("ours.mp4")).toEqual(await packetsOf("theirs.mp4"));
  expect(await decodedFrames("ours.mp4")).toBe(await decodedFrames("theirs.mp4"));
  const [ours, theirs] = await Promise.all(["ours.mp4", "theirs.mp4"].map((name) => readMp4Summary(file(name))));
  expect(ours).toEqual({ ...theirs, sizeBytes: written.sizeBytes });
  const [own, other] = await Promise.all(["ours.mp4", "theirs.mp4"].map((name) => probeFile(file(name))));
  expect(own!.streams).toEqual(other!.streams);
  const bytes = await readFile(file("ours.mp4"));
  expect(written).toEqual({ sizeBytes: bytes.length, crc32: crc32(bytes), sha256: sha256Of(bytes) });
  expect(await writeMovie([picture!, sound!], file("again.mp4"))).toEqual(written);
  expect((await readFile(file("again.mp4"))).equals(bytes)).toBe(true);
});

test("a picture alone keeps its packets", async () => {
  await copyTo("their-picture.mp4", ["picture.mp4"]);
  await writeMovie([picture!], file("our-picture.mp4"));
  expect(await packetsOf("our-picture.mp4")).toEqual(await packetsOf("their-picture.mp4"));
});

test("without edit lists, picture and sound start at zero, as in ffmpeg's file", async () => {
  const priming = ["-bsf:a", "noise=drop='eq(n,0)',setts=ts=TS-STARTPTS", "-use_editlist", "0"];
  await copyTo(
    "theirs-bare.mp4",
    ["picture.mp4", "sound.m4a"],
    ...priming,
    "-movflags",
    "+faststart+negative_cts_offsets",
  );
  await writeMovie([withoutEdits(picture!), withoutEdits(sound!)], file("ours-bare.mp4"));
  expect(await packetsOf("ours-bare.mp4")).toEqual(await packetsOf("theirs-bare.mp4"));
  expect(await decodedFrames("ours-bare.mp4")).toBe(await decodedFrames("theirs-bare.mp4"));
  expect(await readMp4Summary(file("ours-bare.mp4"))).toMatchObject({ hasEditLists: false, isIndexInFront: true });
});

test.each([
  ["with edit lists", (track: Track) => track],
  ["without", withoutEdits],
])("a sound that is longer than its picture ends with it, %s", async (name, change) => {
  await writeMovie([change(picture!), change(endAt(long!, SECONDS))], file(`${name}.mp4`));
  const { video, audio } = await durations(file(`${name}.mp4`));
  expect(video).toBeCloseTo(SECONDS, 4);
  expect(audio).toBeCloseTo(SECONDS, 3);
  expect(await readDecodeErrors(file(`${name}.mp4`))).toBe("");
});

test("a quarter of an hour has all packets of its parts, interleaved", async () => {
  await mkdir(file("hour"));
  await runTestFfmpeg([
    "-stream_loop",
    "449",
    "-i",
    file("picture.mp4"),
    "-c",
    "copy",
    "-f",
    "mp4",
    file("hour/picture.mp4"),
  ]);
  await runTestFfmpeg([
    "-stream_loop",
    "257",
    "-i",
    file("long.m4a"),
    "-c",
    "copy",
    "-f",
    "mp4",
    file("hour/sound.m4a"),
  ]);
  const tracks = await Promise.all(["hour/picture.mp4", "hour/sound.m4a"].map(takeTrack));
  const written = await writeMovie(tracks as [Track], file("hour/ours.mp4"));
  const bytes = await readFile(file("hour/ours.mp4"));
  // Several blocks, read into both buffers.
  expect(bytes.length).toBeGreaterThan(5_000_000);
  expect(written).toEqual({ sizeBytes: bytes.length, crc32: crc32(bytes), sha256: sha256Of(bytes) });
  // The CRC-32 of earlier reads is cached.
  expect(await writeMovie(tracks as [Track], file("hour/again.mp4"))).toEqual(written);
  await copyTo("hour/theirs.mp4", ["hour/picture.mp4", "hour/sound.m4a"]);
  const [ours, theirs] = await Promise.all(["hour/ours.mp4", "hour/theirs.mp4"].map(packetsOf));
  expect(ours!.length).toBeGreaterThan(60_000);
  expect(ours!.toSorted()).toEqual(theirs!.toSorted());
});

test("a full disk is the system's error, and a stream that lost its end is rejected", async () => {
  await expect(writeMovie([picture!], "/dev/full")).rejects.toMatchObject({ code: "ENOSPC" });
  const [piece] = picture!.pieces;
  const whole = await buffer(createReadStream(piece!.path));
  expect(whole.length).toBeGreaterThan(piece!.bytes);
  const lacking = { ...picture!, pieces: [{ ...piece!, at: whole.length - 100 }] };
  await expect(writeMovie([lacking], file("lacking.mp4"))).rejects.toThrow("ends before its last sample");
});
