import type { FileHandle } from "node:fs/promises";
import { boxesIn, findBox } from "../probe/read-mp4.ts";

/** Holds the header of most short videos, so that one request suffices at the end of the file. */
const WINDOW_BYTES = 256 * 1024;
/** The header of two hours of video with sound takes a few megabytes. */
const MAX_HEADER_BYTES = 8 * 1024 ** 2;
const MAX_FRAME_BYTES = 4 * 1024 ** 2;
/** Size, name and large size. */
const BOX_START_BYTES = 16;
const FIRST_BOX = /^(?:ftyp|moov|mdat|wide|free|skip|pnot)$/;

/** `cut`: the file ends before its header does. `unknown`: the header is too large, or the boxes are garbage. */
type Mp4Excerpt =
  | { kind: "missing"; span: ByteSpan }
  | { kind: "complete"; hasFirstFrame: boolean }
  | { kind: "cut" | "unknown" };

export function isMp4(head: Buffer): boolean {
  return FIRST_BOX.test(head.toString("latin1", 4, 8));
}

/** Inspects a sparse file, of which only `known` is filled. Throws the system's error. */
export async function inspectMp4Excerpt(file: FileHandle, known: ByteSpans, sizeBytes: number): Promise<Mp4Excerpt> {
  for (let at = 0; at < sizeBytes;) {
    const missing = known.findMissing({ start: at, end: Math.min(at + BOX_START_BYTES, sizeBytes) });
    if (missing) return { kind: "missing", span: windowFrom(missing.start, sizeBytes) };
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(BOX_START_BYTES), position: at });
    if (bytesRead < 8) return { kind: "cut" };
    const { name, bytes } = readBoxStart(buffer, sizeBytes - at);
    if (bytes < 8) return { kind: "unknown" };
    if (at + bytes > sizeBytes) return { kind: "cut" };
    if (name === "moov") return await inspectHeader(file, known, { start: at, end: at + bytes }, sizeBytes);
    at += bytes;
  }
  return { kind: "cut" };
}

async function inspectHeader(file: FileHandle, known: ByteSpans, header: ByteSpan, sizeBytes: number) {
  const bytes = header.end - header.start;
  if (bytes > MAX_HEADER_BYTES) return { kind: "unknown" } as const;
  const missing = known.findMissing(header);
  if (missing) return { kind: "missing", span: missing } as const;
  const { buffer } = await file.read({ buffer: Buffer.alloc(bytes), position: header.start });
  const frame = findFirstFrame(buffer.subarray(8));
  // A fragmented file has its frames in later boxes.
  if (!frame) return { kind: "complete", hasFirstFrame: findBox(buffer.subarray(8), ["mvex"]) !== undefined } as const;
  const isUsable = frame.end <= sizeBytes && frame.end - frame.start <= MAX_FRAME_BYTES;
  const missingFrame = isUsable ? known.findMissing(frame) : null;
  return missingFrame
    ? ({ kind: "missing", span: missingFrame } as const)
    : ({ kind: "complete", hasFirstFrame: isUsable } as const);
}

function findFirstFrame(header: Buffer): ByteSpan | null {
  for (const { name, content: track } of boxesIn(header)) {
    if (name !== "trak" || findBox(track, ["mdia", "hdlr"])?.toString("latin1", 8, 12) !== "vide") continue;
    const table = findBox(track, ["mdia", "minf", "stbl"]);
    const sizes = table && findBox(table, ["stsz"]);
    const offsets = table && findBox(table, ["stco"]);
    const longOffsets = table && findBox(table, ["co64"]);
    const bytes = sizes && (readNumber(sizes, 4) || readNumber(sizes, 12));
    const start = offsets ? readNumber(offsets, 8) : longOffsets && readLongNumber(longOffsets, 8);
    return bytes && start ? { start, end: start + bytes } : null;
  }
  return null;
}

/** A box of size 0 extends to the end of the file. */
function readBoxStart(buffer: Buffer, restBytes: number): { name: string; bytes: number } {
  const short = buffer.readUInt32BE(0);
  const bytes = short === 1 ? readLongNumber(buffer, 8) : short === 0 ? restBytes : short;
  return { name: buffer.toString("latin1", 4, 8), bytes };
}

function windowFrom(start: number, sizeBytes: number): ByteSpan {
  return { start, end: Math.min(start + WINDOW_BYTES, sizeBytes) };
}

function readNumber(box: Buffer, at: number): number {
  return at + 4 <= box.length ? box.readUInt32BE(at) : 0;
}

function readLongNumber(box: Buffer, at: number): number {
  return at + 8 <= box.length ? Number(box.readBigUInt64BE(at)) : 0;
}

/** Excludes `end`. */
export type ByteSpan = { start: number; end: number };

type ByteSpans = {
  add(span: ByteSpan): void;
  findMissing(span: ByteSpan): ByteSpan | null;
};

export function createByteSpans(): ByteSpans {
  let known: ByteSpan[] = [];
  return {
    add({ start, end }) {
      const apart = known.filter((other) => other.end < start || other.start > end);
      const touching = known.filter((other) => other.end >= start && other.start <= end);
      const merged = {
        start: Math.min(start, ...touching.map((other) => other.start)),
        end: Math.max(end, ...touching.map((other) => other.end)),
      };
      known = [...apart, merged].toSorted((a, b) => a.start - b.start);
    },
    findMissing({ start, end }) {
      const around = known.find((span) => span.start <= start && span.end > start);
      const from = around?.end ?? start;
      if (from >= end) return null;
      return { start: from, end: Math.min(end, known.find((span) => span.start > from)?.start ?? end) };
    },
  };
}
