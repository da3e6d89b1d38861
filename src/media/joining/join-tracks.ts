/** Joins encoded stretches to one picture, by copying their samples. */
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { FrameRate } from "../plan/frame-rate.ts";
import { joinedHeader } from "./joined-header.ts";
import { type PictureTrack, readPictureTrack } from "./picture-track.ts";

const COPIED_AT_ONCE_BYTES = 2 ** 20;

/** A file with the number of frames it should have. */
export type Part = { path: string; frames: number };

/**
 * Writes the pictures of consecutive parts to `file` as one track at this rate. Returns its number of frames, or why the
 * parts do not fit together; then nothing is written. Throws the system's error when the disk is full, or an AbortError.
 */
export async function joinTracks(
  parts: readonly Part[],
  rate: FrameRate,
  file: string,
  signal: AbortSignal,
): Promise<{ frames: number } | { refusal: string }> {
  const tracks: PictureTrack[] = [];
  for (const { path } of parts) {
    const track = await readPictureTrack(path);
    if (!track) return { refusal: "a part could not be read" };
    tracks.push(track);
  }
  const refusal = findMismatch(
    tracks,
    parts.map(({ frames }) => frames),
  );
  if (refusal) return { refusal };
  const [first, ...others] = tracks as [PictureTrack, ...PictureTrack[]];
  const output = await open(file, "w");
  try {
    await output.writeFile(joinedHeader([first, ...others], rate));
    for (const track of tracks) await copySamples(track, output, signal);
  } finally {
    await output.close();
  }
  return { frames: tracks.reduce((sum, { sizes }) => sum + sizes.length, 0) };
}

/** Returns why tracks cannot be joined; null if they can. `frames` are the lengths they should have. Pure. */
function findMismatch(tracks: readonly PictureTrack[], frames: readonly number[]): string | null {
  const [first] = tracks;
  if (!first) return "there are no parts";
  const isEqual = ({ parameterSets, width, height }: PictureTrack) =>
    parameterSets.equals(first.parameterSets) && width === first.width && height === first.height;
  if (!tracks.every(isEqual)) return "the parameter sets differ";
  if (!tracks.every(({ isKey, frames: [shown] }) => isKey[0] === true && shown === 0)) {
    return "a part does not start with a keyframe";
  }
  const inner = tracks.slice(0, -1);
  // the source may end a little early
  if (inner.some(({ sizes }, i) => sizes.length !== frames[i])) return "a part is too short or too long";
  // H.264 7.4.3: two IDR pictures in a row need different ids, and encoders count them per stream
  if (inner.some(({ isKey }) => isKey.at(-1) === true)) return "a part ends with a keyframe";
  return null;
}

async function copySamples({ path, data }: PictureTrack, output: FileHandle, signal: AbortSignal): Promise<void> {
  if (data.bytes === 0) return;
  const range = { start: data.at, end: data.at + data.bytes - 1, highWaterMark: COPIED_AT_ONCE_BYTES, signal };
  for await (const chunk of createReadStream(path, range) as AsyncIterable<Buffer>) await output.writeFile(chunk);
}
