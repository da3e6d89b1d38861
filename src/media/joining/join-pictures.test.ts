import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { encoderArguments } from "#media/plan/arguments/encoder-arguments.ts";
import { probeFile, readDecodeErrors } from "#tests/support/media/measure.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { joinPictures, type Part } from "./join-pictures.ts";
import { frameIndexes, readTrack } from "./track.ts";
import { writeMovie } from "./write-movie.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const RATE = { numerator: 25, denominator: 1 };

/** 25 frames of a moving pattern from second `from`, with the settings of pictures. */
async function encodePart(
  name: string,
  from: number,
  { size = "160x120", encoder = encoderArguments("standard", 1) }: { size?: string; encoder?: string[] } = {},
): Promise<Part> {
  const picture = `testsrc2=s=${size}:r=25,trim=start=${from},setpts=PTS-STARTPTS`;
  await runTestFfmpeg(["-f", "lavfi", "-i", picture, "-frames:v", "25", ...encoder, "-f", "mp4", file(name)]);
  return { track: (await readTrack(file(name)))!, frames: 25 };
}

const HEVC = (threads: number) => encoderArguments("standard", threads, "software", { codec: "hevc" });
const [first, second] = await Promise.all([encodePart("first.mp4", 0), encodePart("second.mp4", 1)]);

test("parts become one track with a frame at each step of the rate", async () => {
  const picture = joinPictures([first, second, first], RATE);
  if ("mismatch" in picture) throw new Error(picture.mismatch);
  await writeMovie([picture], file("joined.mp4"));
  expect(await readDecodeErrors(file("joined.mp4"))).toBe("");
  const { streams } = await probeFile(file("joined.mp4"));
  expect(streams).toMatchObject([{ codec: "h264", width: 160, height: 120, packets: 75, durationSeconds: 3 }]);
  const joined = await readTrack(file("joined.mp4"));
  expect([...frameIndexes(joined!)!].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 75 }, (_, i) => i));
  expect(joined!.samples.keyframes).toEqual(Int32Array.of(0, 25, 50));
  // The packets themselves are unchanged.
  const [{ path: source, at, bytes }] = first.track.pieces as [{ path: string; at: number; bytes: number }];
  const copy = await readFile(file("joined.mp4"));
  expect(copy.includes((await readFile(source)).subarray(at, at + bytes))).toBe(true);
});

test("parts of HEVC are joined as they are, and do not depend on the number of threads", async () => {
  const parts = await Promise.all(
    [1, 2, 3].map((threads) => encodePart(`hevc-${threads}.mp4`, threads === 3 ? 0 : 1, { encoder: HEVC(threads) })),
  );
  expect((await readFile(file("hevc-1.mp4"))).equals(await readFile(file("hevc-2.mp4")))).toBe(true);
  const picture = joinPictures([parts[2]!, parts[0]!, parts[2]!], RATE);
  if ("mismatch" in picture) throw new Error(picture.mismatch);
  await writeMovie([picture], file("hevc.mp4"));
  expect(await readDecodeErrors(file("hevc.mp4"))).toBe("");
  const { streams } = await probeFile(file("hevc.mp4"));
  expect(streams).toMatchObject([{ codec: "hevc", width: 160, height: 120, packets: 75, durationSeconds: 3 }]);
  const joined = await readFile(file("hevc.mp4"));
  const samples = await Promise.all(
    [2, 0, 2].map(async (i) => {
      const { path: source, at, bytes } = parts[i]!.track.pieces[0]!;
      return (await readFile(source)).subarray(at, at + bytes);
    }),
  );
  expect(joined.includes(Buffer.concat(samples))).toBe(true);
  expect(mismatch(first, parts[0]!)).toBe("the parameter sets differ");
});

function mismatch(...parts: Part[]): string {
  const joined = joinPictures(parts, RATE);
  return "mismatch" in joined ? joined.mismatch : `${joined.samples.sizes.length} frames`;
}

test("parts with other parameter sets, sizes or lengths are rejected", async () => {
  const base = encoderArguments("standard", 1);
  const other = await encodePart("other.mp4", 1, { encoder: encoderArguments("draft", 1) });
  expect(mismatch(first, other)).toBe("the parameter sets differ");
  const level = await encodePart("level.mp4", 1, { encoder: [...base, "-level", "4.2"] });
  expect(mismatch(first, level)).toBe("the parameter sets differ");
  const wide = await encodePart("wide.mp4", 1, { size: "320x120" });
  expect(mismatch(first, wide)).toBe("the parameter sets differ");
  expect(mismatch({ ...first, frames: 26 }, second)).toBe("a part is too short or too long");
  // The last part may end with the source.
  expect(mismatch(first, { ...second, frames: 26 })).toBe("50 frames");
  const intra = await encodePart("intra.mp4", 0, { encoder: [...base, "-force_key_frames", "0.96"] });
  expect(mismatch(intra, second)).toBe("a part ends with a keyframe");
});

test("a file that ends early is not read", async () => {
  const { path: source } = first.track.pieces[0]!;
  await writeFile(file("broken.mp4"), (await readFile(source)).subarray(0, 2_000));
  expect(await readTrack(file("broken.mp4"))).toBeNull();
});
