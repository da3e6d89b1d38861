import { type FileHandle, open } from "node:fs/promises";
import { MAX_STREAMS } from "../plan/arguments/source-arguments.ts";
import type { InputReport } from "./input-report.ts";

export type StatedLength = {
  /** 0 if unstated. */
  seconds: number;
  /** False if another stream, such as subtitles, may be the one that lasts so long. */
  isOfStreams: boolean;
};

/** Returns the length that the header states. Only picture and sound decide a video's: `used` has their indexes. */
export async function readStatedLength(
  path: string,
  { formatName, startSeconds, durationSeconds }: InputReport,
  used: readonly number[],
): Promise<StatedLength> {
  if (durationSeconds === null) return { seconds: 0, isOfStreams: false };
  const tracks = /\bmov\b/.test(formatName) ? await readTrackSeconds(path) : [];
  const longest = Math.max(0, ...used.map((stream) => tracks[stream] ?? 0));
  if (longest > 0) return { seconds: Math.min(longest, durationSeconds), isOfStreams: true };
  // Matroska states its end time.
  const startsAt = /\bmatroska\b/.test(formatName) ? startSeconds : 0;
  return { seconds: Math.max(0, durationSeconds - startsAt), isOfStreams: false };
}

/** Bounds the reads in a hostile file. */
const MAX_BOXES = 256;
/** Holds version, times, id and duration of a header box. */
const HEADER_BYTES = 36;
/** Written if the length is unknown. */
const UNKNOWN_UNITS = 2 ** 32 - 1;

type Box = { name: string; start: number; end: number };

/**
 * Reads the track headers, whose lengths include edit lists (ISO/IEC 14496-12, 8.3.2). Returns 0 for a track that states
 * none, as in fragmented files.
 */
async function readTrackSeconds(path: string): Promise<number[]> {
  await using file = await open(path);
  const { size: end } = await file.stat();
  const movie = (await listBoxes(file, { start: 0, end })).find(({ name }) => name === "moov");
  const boxes = movie ? await listBoxes(file, movie) : [];
  const header = await readHeader(file, boxes, "mvhd");
  const perSecond = header ? header.readUInt32BE(header[0] === 1 ? 20 : 12) : 0;
  const seconds: number[] = [];
  for (const track of boxes.filter(({ name }) => name === "trak").slice(0, MAX_STREAMS)) {
    const trackHeader = await readHeader(file, await listBoxes(file, track), "tkhd");
    const units = trackHeader ? readDuration(trackHeader) : 0;
    seconds.push(perSecond > 0 && units < UNKNOWN_UNITS ? units / perSecond : 0);
  }
  return seconds;
}

function readDuration(trackHeader: Buffer): number {
  return trackHeader[0] === 1 ? Number(trackHeader.readBigUInt64BE(28)) : trackHeader.readUInt32BE(20);
}

async function readHeader(file: FileHandle, boxes: readonly Box[], wanted: string): Promise<Buffer | null> {
  const box = boxes.find(({ name }) => name === wanted);
  if (!box || box.end - box.start < HEADER_BYTES) return null;
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEADER_BYTES), position: box.start });
  return bytesRead === HEADER_BYTES ? buffer : null;
}

async function listBoxes(file: FileHandle, { start, end }: Omit<Box, "name">): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = start; at < end && boxes.length < MAX_BOXES;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(16), position: at });
    const short = buffer.readUInt32BE(0);
    const isLarge = short === 1;
    const bytes = isLarge ? Number(buffer.readBigUInt64BE(8)) : short;
    // A truncated file ends within its last box.
    if (bytesRead < 8 || bytes < 8 || at + bytes > end) break;
    boxes.push({ name: buffer.toString("latin1", 4, 8), start: at + (isLarge ? 16 : 8), end: at + bytes });
    at += bytes;
  }
  return boxes;
}
