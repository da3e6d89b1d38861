import { boxesIn } from "../probe/read-mp4.ts";
import { box, largeNumbers, numbers, withNumbers } from "./boxes.ts";
import type { Chunk } from "./interleave.ts";
import { sampleBoxes } from "./sample-tables.ts";
import { mediaDuration, mediaEnd, type Track } from "./track.ts";

const MATRIX = numbers([0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]);
/** Limit for 32-bit positions, minus the header. */
const MAX_SHORT_BYTES = 2 ** 32 - 256 * 2 ** 20;
/** Units per second for movies too long for the picture's own. */
const COARSE_TIMESCALE = 1_000;

/**
 * Returns everything before the samples, which follow in the order of `chunks`. Boxes follow ISO/IEC 14496-12; each
 * track keeps ffmpeg's own, except times and sample positions.
 */
export function movieHeader(tracks: readonly Track[], chunks: readonly Chunk[]): Buffer {
  const dataBytes = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  const isLarge = dataBytes > MAX_SHORT_BYTES;
  const types = box("ftyp", Buffer.from("isom"), numbers([512]), Buffer.from("isomiso2avc1mp41"));
  // 1: the length follows the name in 64 bits.
  const dataHead = isLarge
    ? Buffer.concat([numbers([1]), Buffer.from("mdat"), largeNumbers([16 + dataBytes])])
    : Buffer.concat([numbers([8 + dataBytes]), Buffer.from("mdat")]);
  const movieAt = (dataAt: number) => movieBox(tracks, positionsOf(tracks, chunks, dataAt), chunks, isLarge);
  const headerBytes = types.length + movieAt(0).length + dataHead.length;
  return Buffer.concat([types, movieAt(headerBytes), dataHead]);
}

function positionsOf(tracks: readonly Track[], chunks: readonly Chunk[], dataAt: number): number[][] {
  const positions: number[][] = tracks.map(() => []);
  let at = dataAt;
  for (const { track, bytes } of chunks) {
    positions[track]!.push(at);
    at += bytes;
  }
  return positions;
}

function movieBox(
  tracks: readonly Track[],
  positions: readonly number[][],
  chunks: readonly Chunk[],
  isLarge: boolean,
): Buffer {
  const timescale = movieTimescale(tracks);
  const boxes = tracks.map((track, i) => {
    const counts = chunks.filter((chunk) => chunk.track === i).map(({ samples }) => samples);
    const places = [
      box("stsc", runsOfChunks(counts)),
      isLarge
        ? box("co64", numbers([0, counts.length]), largeNumbers(positions[i]!))
        : box("stco", numbers([0, counts.length]), numbers(positions[i]!)),
    ];
    return trackBox(track, { id: i + 1, timescale, places });
  });
  const duration = Math.max(...tracks.map((track) => shownUnits(track, timescale)));
  const times = numbers([0, 0, 0, timescale, duration, 0x1_0000, 0x0100_0000, 0, 0]);
  return box("moov", box("mvhd", times, MATRIX, numbers([0, 0, 0, 0, 0, 0, tracks.length + 1])), ...boxes);
}

/** The picture's own units keep its duration exact. */
function movieTimescale([first]: readonly Track[]): number {
  const { timescale } = first!;
  return (shownSeconds(first!) + 1) * timescale < 2 ** 31 ? timescale : COARSE_TIMESCALE;
}

function trackBox(
  track: Track,
  { id, timescale, places }: { id: number; timescale: number; places: readonly Buffer[] },
): Buffer {
  const boxes: Buffer[] = [];
  for (const { name, content } of boxesIn(track.boxes)) {
    if (name === "edts") continue;
    if (name === "mdia") boxes.push(mediaBox(track, content, places));
    else if (name !== "tkhd") boxes.push(box(name, content));
    else {
      boxes.push(box(name, withNumbers(content, { 12: id, 20: shownUnits(track, timescale) })));
      boxes.push(...editsBox(track, timescale));
    }
  }
  return box("trak", ...boxes);
}

function mediaBox(track: Track, content: Buffer, places: readonly Buffer[]): Buffer {
  const change = (name: string, inner: Buffer): Buffer => {
    if (name === "mdhd") return box(name, mediaHeader(track, inner));
    if (name === "stbl") return box(name, ...tableBoxes(track, places));
    if (name !== "minf") return box(name, inner);
    return box(name, ...boxesIn(inner).map((innermost) => change(innermost.name, innermost.content)));
  };
  return box("mdia", ...boxesIn(content).map((inner) => change(inner.name, inner.content)));
}

function mediaHeader(track: Track, content: Buffer): Buffer {
  const { timescale } = track;
  const duration = mediaDuration(track);
  if (content[0] !== 1) return withNumbers(content, { 12: timescale, 16: duration });
  return withNumbers(content, { 20: timescale, 24: Math.floor(duration / 2 ** 32), 28: duration % 2 ** 32 });
}

const OWN_TABLES = new Set(["stsd", "stts", "ctts", "stss", "stsz", "stsc", "stco", "co64"]);

function tableBoxes({ tables, samples }: Track, places: readonly Buffer[]): Buffer[] {
  const { length: count } = samples.sizes;
  const others = [...tables].filter(([name]) => !OWN_TABLES.has(name));
  return [
    box("stsd", tables.get("stsd")!),
    ...sampleBoxes(samples),
    ...places,
    // One group of all samples: AAC decoders start a packet earlier.
    ...others.map(([name, content]) => box(name, name === "sbgp" ? withNumbers(content, { 12: count }) : content)),
  ];
}

function editsBox(track: Track, timescale: number): Buffer[] {
  if (track.edits.length === 0) return [];
  const entries = shownEdits(track).flatMap(({ seconds, mediaTime }) => [
    unitsOf(seconds, timescale),
    mediaTime ?? -1,
    0x1_0000,
  ]);
  return [box("edts", box("elst", numbers([0, track.edits.length, ...entries])))];
}

/** Shortens edits whose rounded durations exceed the last sample. */
function shownEdits(track: Track): Track["edits"] {
  const end = mediaEnd(track);
  return track.edits.map(({ seconds, mediaTime }) => ({
    mediaTime,
    seconds: mediaTime === null ? seconds : Math.min(seconds, (end - mediaTime) / track.timescale),
  }));
}

function shownSeconds(track: Track): number {
  if (track.edits.length === 0) return mediaDuration(track) / track.timescale;
  return shownEdits(track).reduce((sum, { seconds }) => sum + seconds, 0);
}

function shownUnits(track: Track, timescale: number): number {
  return unitsOf(shownSeconds(track), timescale);
}

/** Ignores the division's rounding error, but otherwise rounds up, so that nothing is cut off. */
function unitsOf(seconds: number, timescale: number): number {
  return Math.ceil(seconds * timescale - 1e-4);
}

/** First chunk of each run, its samples per chunk, and the only description. */
function runsOfChunks(counts: readonly number[]): Buffer {
  const runs = counts.flatMap((count, i) => (count === counts[i - 1] ? [] : [i + 1, count, 1]));
  return numbers([0, runs.length / 3, ...runs]);
}
