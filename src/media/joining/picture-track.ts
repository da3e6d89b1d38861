/** Reads the picture of an MP4 that ffmpeg wrote, as the samples to copy into another file. */
import { open } from "node:fs/promises";
import { boxesIn, findBox, readMovie } from "../probe/read-mp4.ts";

/** Samples are in decoding order and start at `data.at`, one after the other. */
export type PictureTrack = {
  path: string;
  width: number;
  height: number;
  /** The avc1 sample entry, without its bit rate. */
  sampleEntry: Buffer;
  /** The avcC box: profile, level, SPS and PPS (ISO/IEC 14496-15, 5.3.3). */
  parameterSets: Buffer;
  sizes: number[];
  /** For each sample, the index of its frame in presentation order. */
  frames: number[];
  /** Whether each sample is a keyframe. */
  isKey: boolean[];
  data: { at: number; bytes: number };
};

/** Bytes of an avc1 sample entry before its boxes (ISO/IEC 14496-12, 12.1.3), without the box header. */
const SAMPLE_ENTRY_BYTES = 78;

/** Returns null unless the file has exactly one track: a complete H.264 picture with evenly spaced frames. */
export async function readPictureTrack(path: string): Promise<PictureTrack | null> {
  const file = await open(path).catch(() => null);
  if (!file) return null;
  try {
    const movie = await readMovie(file);
    const tracks = movie ? boxesIn(movie.header).filter(({ name }) => name === "trak") : [];
    const table = tracks.length === 1 ? findBox(tracks[0]!.content, ["mdia", "minf", "stbl"]) : undefined;
    const track = table && readTable(table);
    if (!movie || !track || sum(track.sizes) !== movie.data.bytes) return null;
    return { path, ...track, data: movie.data };
  } finally {
    await file.close();
  }
}

function readTable(table: Buffer): Omit<PictureTrack, "path" | "data"> | null {
  const boxes = new Map(boxesIn(table).map(({ name, content }) => [name, content]));
  const [description, sizesBox, durations] = ["stsd", "stsz", "stts"].map((name) => boxes.get(name));
  if (!description || !sizesBox || !durations) return null;
  // 4 bytes of version and flags, 4 of the number of entries
  const [entry] = boxesIn(description.subarray(8));
  const parts = entry?.name === "avc1" ? boxesIn(entry.content.subarray(SAMPLE_ENTRY_BYTES)) : [];
  const parameterSets = parts.find(({ name }) => name === "avcC")?.content;
  if (!entry || !parameterSets) return null;
  const sizes = readSizes(sizesBox);
  const frames = frameIndexes(sizes.length, durations, boxes.get("ctts"));
  if (!frames) return null;
  const kept = parts.filter(({ name }) => name !== "btrt").map(({ name, content }) => box(name, content));
  return {
    width: entry.content.readUInt16BE(24),
    height: entry.content.readUInt16BE(26),
    sampleEntry: box("avc1", entry.content.subarray(0, SAMPLE_ENTRY_BYTES), ...kept),
    parameterSets,
    sizes,
    frames,
    isKey: readKeyframes(sizes.length, boxes.get("stss")),
  };
}

function readSizes(box: Buffer): number[] {
  const [common, count] = [box.readUInt32BE(4), box.readUInt32BE(8)];
  return Array.from({ length: count }, (_, i) => common || box.readUInt32BE(12 + i * 4));
}

/** Without the box, all samples are keyframes. */
function readKeyframes(count: number, box: Buffer | undefined): boolean[] {
  if (!box) return Array.from({ length: count }, () => true);
  const isKey = Array.from({ length: count }, () => false);
  for (let i = 0; i < box.readUInt32BE(4); i++) isKey[box.readUInt32BE(8 + i * 4) - 1] = true;
  return isKey;
}

/** Returns each sample's place in presentation order, or null if the frames are not evenly spaced. */
function frameIndexes(count: number, durations: Buffer, offsets: Buffer | undefined): number[] | null {
  if (count === 0) return null;
  const step = durations.readUInt32BE(12);
  const delays = offsets ? readRuns(offsets, count) : [];
  const times = Array.from({ length: count }, (_, i) => i * step + (delays[i] ?? 0));
  const first = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const frames = times.map((time) => (time - first) / step);
  const isComplete =
    new Set(frames).size === count && frames.every((frame) => Number.isInteger(frame) && frame < count);
  return isComplete ? frames : null;
}

/** Expands pairs of a count and a signed value. */
function readRuns(box: Buffer, count: number): number[] {
  const values: number[] = [];
  for (let i = 0; i < box.readUInt32BE(4) && values.length < count; i++) {
    const value = box.readInt32BE(12 + i * 8);
    for (let n = box.readUInt32BE(8 + i * 8); n > 0; n--) values.push(value);
  }
  return values;
}

/** Returns a box with these contents. */
export function box(name: string, ...contents: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + contents.reduce((bytes, { length }) => bytes + length, 0), 0);
  head.write(name, 4, "latin1");
  return Buffer.concat([head, ...contents]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
