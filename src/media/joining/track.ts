import { open } from "node:fs/promises";
import { boxesIn, findBox, readMovie } from "../probe/read-mp4.ts";
import { readSamples, type Samples, sliceSamples, sum } from "./sample-tables.ts";

export type Piece = { path: string; at: number; bytes: number };

type Edit = {
  seconds: number;
  /** In units of the track's time scale; null shows nothing. */
  mediaTime: number | null;
};

export type Track = {
  kind: "picture" | "sound";
  /** As ffmpeg wrote them; `tables` are the boxes of the sample table. */
  boxes: Buffer;
  tables: ReadonlyMap<string, Buffer>;
  /** Units per second. */
  timescale: number;
  samples: Samples;
  /** Empty: all samples, from the first. */
  edits: Edit[];
  pieces: Piece[];
};

const KINDS: Record<string, Track["kind"]> = { vide: "picture", soun: "sound" };

/** For MP4s that ffmpeg wrote. Returns null if the file is incomplete or does not have exactly one track. */
export async function readTrack(path: string): Promise<Track | null> {
  const file = await open(path).catch(() => null);
  if (!file) return null;
  try {
    const movie = await readMovie(file);
    const tracks = movie ? boxesIn(movie.header).filter(({ name }) => name === "trak") : [];
    const track = tracks.length === 1 ? parseTrack(movie!.header, tracks[0]!.content) : null;
    if (!track || sum(track.samples.sizes) !== movie!.data.bytes) return null;
    return { ...track, pieces: [{ path, ...movie!.data }] };
  } finally {
    await file.close();
  }
}

function parseTrack(movie: Buffer, boxes: Buffer): Omit<Track, "pieces"> | null {
  const [movieHeader, mediaHeader] = [findBox(movie, ["mvhd"]), findBox(boxes, ["mdia", "mdhd"])];
  const kind = KINDS[findBox(boxes, ["mdia", "hdlr"])?.toString("latin1", 8, 12) ?? ""];
  const table = findBox(boxes, ["mdia", "minf", "stbl"]);
  if (!movieHeader || !mediaHeader || !kind || !table) return null;
  const tables = new Map(boxesIn(table).map(({ name, content }) => [name, content]));
  const samples = readSamples(tables);
  if (!samples || !tables.has("stsd")) return null;
  const edits = readEdits(findBox(boxes, ["edts", "elst"]), timescaleOf(movieHeader));
  return { kind, boxes, tables, timescale: timescaleOf(mediaHeader), samples, edits };
}

/** The mvhd and mdhd boxes start alike. */
function timescaleOf(header: Buffer): number {
  return header.readUInt32BE(header[0] === 1 ? 20 : 12);
}

function readEdits(list: Buffer | undefined, perSecond: number): Edit[] {
  if (!list) return [];
  const isLarge = list[0] === 1;
  return Array.from({ length: list.readUInt32BE(4) }, (_, i) => {
    const at = 8 + i * (isLarge ? 20 : 12);
    const duration = isLarge ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at);
    const mediaTime = isLarge ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4);
    return { seconds: duration / perSecond, mediaTime: mediaTime < 0 ? null : mediaTime };
  });
}

/** In units of the track's time scale. */
export function mediaDuration({ samples }: Pick<Track, "samples">): number {
  return sum(samples.durations);
}

/** Returns the end of the last shown sample, on the media's clock. */
export function mediaEnd({ samples: { durations, delays } }: Pick<Track, "samples">): number {
  let [decoded, end] = [0, 0];
  for (let i = 0; i < durations.length; i++) {
    end = Math.max(end, decoded + delays[i]! + durations[i]!);
    decoded += durations[i]!;
  }
  return end;
}

/** `head` precedes the boxes in `parts` (ISO/IEC 14496-12, 12.1.3 and 12.2.3). */
export function sampleEntry({ kind, tables }: Track): {
  head: Buffer;
  name: string;
  parts: ReadonlyMap<string, Buffer>;
} {
  // 4 bytes of version and flags, 4 of the number of entries.
  const [entry] = boxesIn(tables.get("stsd")!.subarray(8));
  const headBytes = kind === "picture" ? 78 : 28;
  const content = entry?.content ?? Buffer.alloc(headBytes);
  const parts = new Map(boxesIn(content.subarray(headBytes)).map((part) => [part.name, part.content]));
  return { head: content.subarray(0, headBytes), name: entry?.name ?? "", parts };
}

/** Null if the frames are not evenly spaced. */
export function frameIndexes({ samples: { durations, delays } }: Pick<Track, "samples">): Int32Array | null {
  const step = durations[0];
  if (!step) return null;
  const times = delays.map((delay, i) => i * step + delay);
  const first = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const isShown = new Uint8Array(times.length);
  for (const [i, time] of times.entries()) {
    const frame = (time - first) / step;
    if (!Number.isInteger(frame) || frame >= times.length || isShown[frame] === 1) return null;
    isShown[frame] = 1;
    times[i] = frame;
  }
  return times;
}

export function endAt(track: Track, seconds: number): Track {
  const start = track.edits[0]?.mediaTime ?? 0;
  const { durations } = track.samples;
  const end = Math.round(start + seconds * track.timescale);
  let [count, time] = [0, 0];
  while (count < durations.length && time < end) time += durations[count++]!;
  const samples = sliceSamples(track.samples, 0, count);
  if (time > end) {
    samples.durations = Int32Array.from(samples.durations);
    samples.durations[count - 1]! -= time - end;
  }
  const edits = track.edits.map(({ mediaTime, ...edit }): Edit => ({
    mediaTime,
    seconds: Math.min(edit.seconds, seconds),
  }));
  return { ...track, samples, edits };
}

/**
 * Sound loses the packets that only prime the decoder; frames get negative delays, so that the first one is shown at
 * zero.
 */
export function withoutEdits(track: Track): Track {
  const skipped = track.edits[0]?.mediaTime ?? 0;
  const { samples } = track;
  if (track.kind === "picture") {
    return { ...track, edits: [], samples: { ...samples, delays: samples.delays.map((delay) => delay - skipped) } };
  }
  let [first, time, bytes] = [0, 0, 0];
  while (first < samples.sizes.length && time + samples.durations[first]! <= skipped) {
    bytes += samples.sizes[first]!;
    time += samples.durations[first++]!;
  }
  const pieces = track.pieces.map((piece, i): Piece => (i === 0 ? skip(piece, bytes) : piece));
  return { ...track, edits: [], samples: sliceSamples(samples, first, samples.sizes.length), pieces };
}

function skip(piece: Piece, bytes: number): Piece {
  return { ...piece, at: piece.at + bytes, bytes: piece.bytes - bytes };
}
