import { type FileHandle, open } from "node:fs/promises";
import { type ByteSpan, createByteSpans, inspectMp4Excerpt, isMp4 } from "./mp4-excerpt.ts";

/** Holds the header and the first frame of most videos. */
export const HEAD_BYTES = 512 * 1024;
/** ffmpeg looks for the last timestamp in the last 250 kB (libavformat/demux.c, 7.1: DURATION_MAX_READ_SIZE). */
const TAIL_BYTES = 256 * 1024;
/** Two packets of a transport stream. */
const SIGNATURE_BYTES = 400;
/** A header at the end takes two requests, its frame a third. */
const MAX_REQUESTS = 8;

export type ExcerptSource = {
  sizeBytes: number | null;
  /** Returns the number of bytes: 512 KiB, or less for a smaller file. */
  writeHead(file: FileHandle): Promise<number>;
  /** Writes to `file` at `position`. Returns false if the host supports no ranges. */
  writeRange(span: ByteSpan, file: FileHandle, position: number): Promise<boolean>;
};

export type Excerpt = {
  path: string;
  isWhole: boolean;
  /** `cut`: the file ends before its header does. `unknown`: the header was not found. */
  header: "readable" | "cut" | "unknown";
  hasLength: boolean;
  hasFirstFrame: boolean;
};

/**
 * Copies the identifying parts of a file to `path`: sparse, with every byte at its offset, or just the beginning and
 * the end.
 */
export async function takeExcerpt(source: ExcerptSource, path: string): Promise<Excerpt> {
  await using file = await open(path, "w+");
  const headBytes = await source.writeHead(file);
  const sizeBytes = source.sizeBytes ?? (headBytes < HEAD_BYTES ? headBytes : null);
  const excerpt: Excerpt = { path, isWhole: true, header: "readable", hasLength: true, hasFirstFrame: true };
  if (sizeBytes !== null && headBytes >= sizeBytes) return excerpt;
  const { buffer } = await file.read({ buffer: Buffer.alloc(SIGNATURE_BYTES), position: 0 });
  const part = { ...excerpt, isWhole: false };
  if (isMp4(buffer)) return { ...part, ...(await completeMp4(source, file, headBytes, sizeBytes)) };
  if (!hasLengthAtEnd(buffer)) return { ...part, hasLength: hasLengthInFront(buffer) };
  return { ...part, hasLength: await appendTail(source, file, headBytes, sizeBytes) };
}

async function completeMp4(
  source: ExcerptSource,
  file: FileHandle,
  headBytes: number,
  sizeBytes: number | null,
): Promise<Pick<Excerpt, "header" | "hasFirstFrame">> {
  const known = createByteSpans();
  known.add({ start: 0, end: headBytes });
  // ffmpeg finds every byte at its offset; the gaps take no space.
  if (sizeBytes !== null) await file.truncate(sizeBytes);
  for (let requests = 0; requests < MAX_REQUESTS; requests += 1) {
    const found = await inspectMp4Excerpt(file, known, sizeBytes ?? headBytes);
    if (found.kind === "complete") return { header: "readable", hasFirstFrame: found.hasFirstFrame };
    if (found.kind === "cut" && sizeBytes !== null) return { header: "cut", hasFirstFrame: false };
    if (found.kind !== "missing" || !(await source.writeRange(found.span, file, found.span.start))) break;
    known.add(found.span);
  }
  return { header: "unknown", hasFirstFrame: false };
}

async function appendTail(
  source: ExcerptSource,
  file: FileHandle,
  headBytes: number,
  sizeBytes: number | null,
): Promise<boolean> {
  if (sizeBytes === null) return false;
  const span = { start: Math.max(headBytes, sizeBytes - TAIL_BYTES), end: sizeBytes };
  return await source.writeRange(span, file, headBytes);
}

/** Matroska, ASF and FLV. AVI has its length in an index at the end. */
function hasLengthInFront(head: Buffer): boolean {
  return startsWith(head, "1a45dfa3", "3026b275", "464c5601");
}

const SYNC_BYTE = 0x47;
/** Packet sizes of transport streams, and the offset of their sync byte. */
const PACKETS = [
  { bytes: 188, sync: 0 },
  { bytes: 192, sync: 4 },
];

/** Transport and program streams and Ogg, whose length is the difference of their timestamps. */
function hasLengthAtEnd(head: Buffer): boolean {
  const isTransport = PACKETS.some(({ bytes, sync }) => head[sync] === SYNC_BYTE && head[sync + bytes] === SYNC_BYTE);
  return isTransport || startsWith(head, "000001ba", "4f676753");
}

function startsWith(head: Buffer, ...signatures: string[]): boolean {
  return signatures.includes(head.toString("hex", 0, 4));
}
