import { readFile, writeFile } from "node:fs/promises";

type Box = { name: string; start: number; end: number };

function boxesIn(bytes: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end;) {
    const length = bytes.readUInt32BE(at);
    if (length < 8) break;
    boxes.push({ name: bytes.toString("latin1", at + 4, at + 8), start: at + 8, end: at + length });
    at += length;
  }
  return boxes;
}

function inside(bytes: Buffer, outer: Box, path: string[]): Box {
  return path.reduce((box, name) => {
    const found = boxesIn(bytes, box.start, box.end).find((inner) => inner.name === name);
    if (!found) throw new Error(`There is no box ${name}.`);
    return found;
  }, outer);
}

/** In bytes, of the first track of this kind. */
export function samplesOf(bytes: Buffer, kind: "vide" | "soun"): { offset: number; length: number }[] {
  const movie = boxesIn(bytes, 0, bytes.length).find(({ name }) => name === "moov")!;
  const track = boxesIn(bytes, movie.start, movie.end).find((box) => {
    if (box.name !== "trak") return false;
    const handler = inside(bytes, box, ["mdia", "hdlr"]);
    return bytes.toString("latin1", handler.start + 8, handler.start + 12) === kind;
  })!;
  const table = inside(bytes, track, ["mdia", "minf", "stbl"]);
  const numbers = (name: string, from: number) => {
    const { start, end } = inside(bytes, table, [name]);
    return Array.from({ length: (end - start - from) / 4 }, (_, i) => bytes.readUInt32BE(start + from + i * 4));
  };
  const sizes = numbers("stsz", 12);
  const runs = numbers("stsc", 8);
  const samples: { offset: number; length: number }[] = [];
  for (const [chunk, chunkOffset] of numbers("stco", 8).entries()) {
    let perChunk = 0;
    for (let i = 0; i < runs.length; i += 3) if (runs[i]! <= chunk + 1) perChunk = runs[i + 1]!;
    let offset = chunkOffset;
    for (const length of sizes.slice(samples.length, samples.length + perChunk)) {
      samples.push({ offset, length });
      offset += length;
    }
  }
  return samples;
}

/** Zeroes samples of an MP4, like a damaged disk. */
export async function loseSamples(
  from: string,
  to: string,
  kind: "vide" | "soun",
  isLost: (index: number, count: number) => boolean,
): Promise<void> {
  const bytes = await readFile(from);
  const samples = samplesOf(bytes, kind);
  for (const [i, { offset, length }] of samples.entries()) {
    if (isLost(i, samples.length)) bytes.fill(0, offset, offset + length);
  }
  await writeFile(to, bytes);
}

/** 31 and 10 for type 42 (USAC, "xHE-AAC"), 3 for 48 kHz, 1 for mono, in 5, 6, 4 and 4 bits. */
const USAC_CONFIG = [0xf9, 0x46, 0x20];

/**
 * Labels an MP4's AAC as xHE-AAC, which ffmpeg also calls "aac" but decodes only since 7.1. No decoder can read its
 * samples.
 */
export async function pretendUsac(from: string, to: string): Promise<void> {
  const bytes = await readFile(from);
  const descriptor = bytes.indexOf(Buffer.from([0x05, 0x80, 0x80, 0x80]), bytes.indexOf("esds"));
  const length = bytes[descriptor + 4]!;
  Buffer.from([...USAC_CONFIG, 0, 0, 0, 0, 0, 0, 0]).copy(bytes, descriptor + 5, 0, length);
  await writeFile(to, bytes);
}

/** Replaces four-letter codec or box names in an MP4: `[["mp4a", "mhm1"]]`. */
export async function renameBoxes(from: string, to: string, names: [before: string, after: string][]): Promise<void> {
  const bytes = await readFile(from);
  for (const [before, after] of names) bytes.write(after, bytes.lastIndexOf(before), "latin1");
  await writeFile(to, bytes);
}

const TS_PACKET_BYTES = 188;

/** Removes packets of a transport stream, like a bad connection. */
export async function losePackets(
  from: string,
  to: string,
  isLost: (index: number, count: number) => boolean,
): Promise<void> {
  const bytes = await readFile(from);
  const count = Math.floor(bytes.length / TS_PACKET_BYTES);
  const kept = Array.from({ length: count }, (_, i) => i)
    .filter((i) => !isLost(i, count))
    .map((i) => bytes.subarray(i * TS_PACKET_BYTES, (i + 1) * TS_PACKET_BYTES));
  await writeFile(to, Buffer.concat(kept));
}

const FIRST_STREAM = 0x100;

/** Copies a transport stream without some video frames, in decoding order. */
export async function loseFrames(from: string, to: string, isLost: (frame: number) => boolean): Promise<void> {
  const bytes = await readFile(from);
  let frame = -1;
  const kept: Buffer[] = [];
  for (let at = 0; at + TS_PACKET_BYTES <= bytes.length; at += TS_PACKET_BYTES) {
    const header = bytes.readUInt16BE(at + 1);
    const isPicture = (header & 0x1fff) === FIRST_STREAM;
    if (isPicture && (header & 0x4000) !== 0) frame++;
    if (!isPicture || !isLost(frame)) kept.push(bytes.subarray(at, at + TS_PACKET_BYTES));
  }
  await writeFile(to, Buffer.concat(kept));
}

/** Changes the first stream type in a transport stream's program map. */
export function renameTransportStream(bytes: Buffer, from: number, to: number): Buffer {
  const renamed = Buffer.from(bytes);
  for (let at = 0; at + TS_PACKET_BYTES <= renamed.length; at += TS_PACKET_BYTES) {
    // The program map has table id 2 after a pointer of 0.
    if (renamed[at + 4] !== 0 || renamed[at + 5] !== 2) continue;
    const end = at + 5 + 3 + (renamed.readUInt16BE(at + 6) & 0xfff) - 4;
    const first = at + 5 + 12 + (renamed.readUInt16BE(at + 15) & 0xfff);
    if (renamed[first] === from) renamed[first] = to;
    renamed.writeUInt32BE(checksumOf(renamed.subarray(at + 5, end)), end);
  }
  return renamed;
}

/** CRC-32 with polynomial 0x04c11db7, not reflected. */
function checksumOf(bytes: Uint8Array): number {
  let checksum = 0xffffffff;
  for (const byte of bytes) {
    checksum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) checksum = (checksum << 1) ^ (checksum < 0 ? 0x04c11db7 : 0);
  }
  return checksum >>> 0;
}
