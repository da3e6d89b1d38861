/** Builds the header of an MP4 with one picture out of consecutive parts. All times follow from frame indexes. Pure. */
import type { FrameRate } from "../plan/frame-rate.ts";
import { box, type PictureTrack } from "./picture-track.ts";

/** ffmpeg's own minimum for a track, in units per second, so that it keeps times when it copies. */
const MIN_TIMESCALE = 10_000;
const MATRIX = numbers([0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]);
/** "und" in ISO 639-2/T, packed. */
const UNDETERMINED = 0x55c4;
const DATA_HEAD_BYTES = 16;

type Parts = readonly [PictureTrack, ...PictureTrack[]];

/**
 * Returns everything before the samples, which follow in the order of `parts`. All parts have equal parameter sets.
 * Boxes are those of ISO/IEC 14496-12.
 */
export function joinedHeader(parts: Parts, rate: FrameRate): Buffer {
  const types = box("ftyp", Buffer.from("isom"), numbers([512]), Buffer.from("isomiso2avc1mp41"));
  const dataBytes = sum(parts.map(({ data }) => data.bytes));
  // 1: the length follows the name in 64 bits, since pictures may exceed 4 GiB
  const dataHead = Buffer.concat([numbers([1]), Buffer.from("mdat"), large(DATA_HEAD_BYTES + dataBytes)]);
  const headerBytes = types.length + movieBox(parts, rate, 0).length + DATA_HEAD_BYTES;
  return Buffer.concat([types, movieBox(parts, rate, headerBytes), dataHead]);
}

/** `dataAt` is where the first sample is in the file. */
function movieBox(parts: Parts, rate: FrameRate, dataAt: number): Buffer {
  const factor = Math.max(1, 2 ** Math.ceil(Math.log2(MIN_TIMESCALE / rate.numerator)));
  const [timescale, frameLasts] = [rate.numerator * factor, rate.denominator * factor];
  const isAhead = parts.flatMap(({ frames }) => frames.map((frame, i) => frame - i));
  // frames shown before others that are decoded first need all times to be later by this much
  const delay = isAhead.reduce((most, frames) => Math.max(most, -frames), 0);
  const duration = isAhead.length * frameLasts;
  const [{ width, height, sampleEntry }] = parts;
  const shownAfterDecoding = runsOf(isAhead.map((frames) => (frames + delay) * frameLasts));
  const table = box(
    "stbl",
    box("stsd", numbers([0, 1]), sampleEntry),
    box("stts", numbers([0, 1, isAhead.length, frameLasts])),
    ...(delay > 0 ? [box("ctts", numbers([0, shownAfterDecoding.length]), numbers(shownAfterDecoding.flat()))] : []),
    box("stss", counted(keyframeNumbers(parts))),
    box("stsc", numbers([0, parts.length]), numbers(parts.flatMap(({ sizes }, i) => [i + 1, sizes.length, 1]))),
    box("stsz", numbers([0, 0, isAhead.length]), ...parts.map(({ sizes }) => numbers(sizes))),
    box("co64", numbers([0, parts.length]), ...chunkOffsets(parts, dataAt)),
  );
  const inThisFile = box("dinf", box("dref", numbers([0, 1]), box("url ", numbers([1]))));
  const media = box(
    "mdia",
    box("mdhd", numbers([0, 0, 0, timescale, duration, UNDETERMINED << 16])),
    box("hdlr", numbers([0, 0]), Buffer.from("vide"), numbers([0, 0, 0]), Buffer.from("\0")),
    box("minf", box("vmhd", numbers([1, 0, 0])), inThisFile, table),
  );
  const edit = box("edts", box("elst", numbers([0, 1, duration, delay * frameLasts, 0x1_0000])));
  const track = box(
    "trak",
    box("tkhd", numbers([3, 0, 0, 1, 0, duration, 0, 0, 0, 0]), MATRIX, numbers([width << 16, height << 16])),
    ...(delay > 0 ? [edit] : []),
    media,
  );
  const times = numbers([0, 0, 0, timescale, duration, 0x1_0000, 0x0100_0000, 0, 0]);
  return box("moov", box("mvhd", times, MATRIX, numbers([0, 0, 0, 0, 0, 0, 2])), track);
}

/** Counts samples from 1. */
function keyframeNumbers(parts: Parts): number[] {
  return parts.flatMap(({ isKey }) => isKey).flatMap((is, i) => (is ? [i + 1] : []));
}

/** Each part is one chunk. */
function chunkOffsets(parts: Parts, dataAt: number): Buffer[] {
  let at = dataAt;
  return parts.map(({ data }) => {
    const offset = large(at);
    at += data.bytes;
    return offset;
  });
}

function runsOf(values: readonly number[]): [count: number, value: number][] {
  const runs: [number, number][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last?.[1] === value) last[0]++;
    else runs.push([1, value]);
  }
  return runs;
}

function counted(values: readonly number[]): Buffer {
  return Buffer.concat([numbers([0, values.length]), numbers(values)]);
}

function large(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32BE(value, i * 4));
  return bytes;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
