import { writeFile, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { encoderArguments } from "#media/plan/arguments/encoder-arguments.ts";
import { probeFile, readDecodeErrors } from "#tests/support/media/measure.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { joinTracks } from "./join-tracks.ts";
import { readPictureTrack } from "./picture-track.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const RATE = { numerator: 25, denominator: 1 };

/** Encodes 25 frames of a moving pattern from second `from`, with the settings of pictures. */
async function encodePart(
  name: string,
  from: number,
  { size = "160x120", encoder = encoderArguments("standard", 1) }: { size?: string; encoder?: string[] } = {},
): Promise<{ path: string; frames: number }> {
  const picture = `testsrc2=s=${size}:r=25,trim=start=${from},setpts=PTS-STARTPTS`;
  await runTestFfmpeg(["-f", "lavfi", "-i", picture, "-frames:v", "25", ...encoder, "-f", "mp4", file(name)]);
  return { path: file(name), frames: 25 };
}

const [first, second] = await Promise.all([encodePart("first.mp4", 0), encodePart("second.mp4", 1)]);

test("parts become one track with a frame at each step of the rate", async () => {
  expect(await joinTracks([first, second, first], RATE, file("joined.mp4"), new AbortController().signal)).toEqual({
    frames: 75,
  });
  expect(await readDecodeErrors(file("joined.mp4"))).toBe("");
  const { streams } = await probeFile(file("joined.mp4"));
  expect(streams).toMatchObject([{ codec: "h264", width: 160, height: 120, packets: 75, durationSeconds: 3 }]);
  const joined = await readPictureTrack(file("joined.mp4"));
  expect(joined!.frames.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 75 }, (_, i) => i));
  expect(joined!.isKey.flatMap((isKey, i) => (isKey ? [i] : []))).toEqual([0, 25, 50]);
  // the packets themselves are unchanged
  const [source, copy] = await Promise.all([readPictureTrack(first.path), readFile(file("joined.mp4"))]);
  const { at, bytes } = source!.data;
  expect(copy.includes((await readFile(first.path)).subarray(at, at + bytes))).toBe(true);
});

test("parts with other parameter sets, sizes or lengths are refused", async () => {
  const base = encoderArguments("standard", 1);
  const refusal = async (...parts: { path: string; frames: number }[]) =>
    (await joinTracks(parts, RATE, file("refused.mp4"), new AbortController().signal)) as { refusal: string };
  const other = await encodePart("other.mp4", 1, { encoder: encoderArguments("draft", 1) });
  expect(await refusal(first, other)).toEqual({ refusal: "the parameter sets differ" });
  const level = await encodePart("level.mp4", 1, { encoder: [...base, "-level", "4.2"] });
  expect(await refusal(first, level)).toEqual({ refusal: "the parameter sets differ" });
  const wide = await encodePart("wide.mp4", 1, { size: "320x120" });
  expect(await refusal(first, wide)).toEqual({ refusal: "the parameter sets differ" });
  expect(await refusal({ ...first, frames: 26 }, second)).toEqual({ refusal: "a part is too short or too long" });
  // the last part may end with the source
  expect(await refusal(first, { ...second, frames: 26 })).toEqual({ frames: 50 });
  const intra = await encodePart("intra.mp4", 0, { encoder: [...base, "-force_key_frames", "0.96"] });
  expect(await refusal(intra, second)).toEqual({ refusal: "a part ends with a keyframe" });
  await writeFile(file("broken.mp4"), (await readFile(first.path)).subarray(0, 2_000));
  expect(await refusal(first, { path: file("broken.mp4"), frames: 25 })).toEqual({
    refusal: "a part could not be read",
  });
});
