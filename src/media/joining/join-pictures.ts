import type { FrameRate } from "../plan/fit-size.ts";
import { box, numbers } from "./boxes.ts";
import type { Samples } from "./sample-tables.ts";
import { frameIndexes, sampleEntry, type Track } from "./track.ts";

/** Units per second: ffmpeg's minimum, so that its copies keep the times. */
const MIN_TIMESCALE = 10_000;

export type Part = { track: Track; frames: number };

/** Changes no sample; times follow from frame indexes. */
export function joinPictures(parts: readonly Part[], rate: FrameRate): Track | { mismatch: string } {
  const shown = parts.map(({ track }) => frameIndexes(track));
  const mismatch = findMismatch(parts, shown);
  if (mismatch) return { mismatch };
  const first = parts[0]!.track;
  const factor = Math.max(1, 2 ** Math.ceil(Math.log2(MIN_TIMESCALE / rate.numerator)));
  const [timescale, frameLasts] = [rate.numerator * factor, rate.denominator * factor];
  const isAhead = concat(shown.map((frames) => frames!.map((frame, i) => frame - i)));
  // Frames shown before others that are decoded first require all times to shift by this much.
  const delay = isAhead.reduce((most, frames) => Math.max(most, -frames), 0) * frameLasts;
  const samples = {
    sizes: concat(parts.map(({ track }) => track.samples.sizes)),
    durations: new Int32Array(isAhead.length).fill(frameLasts),
    delays: isAhead.map((frames) => frames * frameLasts + delay),
    keyframes: keyframesOf(parts),
  };
  const seconds = (isAhead.length * frameLasts) / timescale;
  return {
    kind: "picture",
    boxes: first.boxes,
    tables: new Map([["stsd", descriptionOf(first)]]),
    timescale,
    samples,
    edits: delay > 0 ? [{ seconds, mediaTime: delay }] : [],
    pieces: parts.flatMap(({ track }) => track.pieces),
  };
}

function findMismatch(parts: readonly Part[], shown: readonly (Int32Array | null)[]): string | null {
  const [first] = parts;
  if (!first) return "there are no parts";
  const entries = parts.map(({ track }) => sampleEntry(track));
  const sets = parameterSetsOf(entries[0]!);
  const isEqual = (entry: (typeof entries)[number]) =>
    sets !== undefined && parameterSetsOf(entry)?.equals(sets) && sizeOf(entry.head) === sizeOf(entries[0]!.head);
  if (!entries.every(isEqual)) return "the parameter sets differ";
  if (shown.includes(null)) return "the frames of a part are not evenly spaced";
  if (!parts.every(({ track: { samples } }, i) => isKey(samples, 0) && shown[i]![0] === 0)) {
    return "a part does not start with a keyframe";
  }
  const inner = parts.slice(0, -1);
  // The source may end a little early.
  if (inner.some(({ track, frames }) => track.samples.sizes.length !== frames))
    return "a part is too short or too long";
  // H.264 7.4.3: two consecutive IDR pictures need different ids, and encoders count them per stream.
  const isH264 = entries[0]!.parts.has("avcC");
  if (isH264 && inner.some(({ track: { samples } }) => isKey(samples, samples.sizes.length - 1)))
    return "a part ends with a keyframe";
  return null;
}

/** Of H.264 or HEVC (ISO/IEC 14496-15). */
function parameterSetsOf({ parts }: ReturnType<typeof sampleEntry>): Buffer | undefined {
  return parts.get("avcC") ?? parts.get("hvcC");
}

function sizeOf(head: Buffer): number {
  return head.readUInt32BE(24);
}

function isKey({ keyframes }: Samples, index: number): boolean {
  return keyframes?.includes(index) ?? true;
}

function keyframesOf(parts: readonly Part[]): Int32Array {
  let before = 0;
  return concat(
    parts.map(({ track: { samples } }) => {
      const from = before;
      before += samples.sizes.length;
      return (samples.keyframes ?? samples.sizes.map((_, i) => i)).map((index) => index + from);
    }),
  );
}

function descriptionOf(track: Track): Buffer {
  const { head, name, parts } = sampleEntry(track);
  const kept = [...parts].filter(([part]) => part !== "btrt").map(([part, content]) => box(part, content));
  return Buffer.concat([numbers([0, 1]), box(name, head, ...kept)]);
}

function concat(arrays: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(arrays.reduce((length, array) => length + array.length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}
