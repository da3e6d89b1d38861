/** Changes that ffmpeg cannot write. */
import { readFile, writeFile } from "node:fs/promises";

/** Columns of a track's matrix: x' = a x + c y, y' = b x + d y. */
export type Matrix = readonly [a: number, b: number, c: number, d: number];

/** Changes the first track only. */
export async function writeMatrix(from: string, to: string, [a, b, c, d]: Matrix): Promise<void> {
  const file = await readFile(from);
  const header = file.indexOf("tkhd");
  // version 0: 4 bytes each of name, version, two times, id, reserved, duration, then 16 bytes before the matrix
  const matrix = header + 44;
  const cells = [
    [0, a],
    [4, b],
    [12, c],
    [16, d],
  ] as const;
  for (const [offset, value] of cells) file.writeInt32BE(value * 65_536, matrix + offset);
  await writeFile(to, file);
}

/** In seconds. */
export type Edit = readonly [from: number, to: number];

/**
 * Plays only these parts. The movie header must follow the media, as ffmpeg writes it, so that no chunk offsets change.
 */
export async function writeEdits(from: string, to: string, edits: readonly Edit[]): Promise<void> {
  const file = await readFile(from);
  const boxes = readBoxes(file);
  const header = boxes.at(-1)!;
  if (header.type !== "moov") throw new Error(`The movie header of ${from} does not come last.`);
  const parts = readBoxes(header.body);
  const movieScale = parts.find(({ type }) => type === "mvhd")!.body.readUInt32BE(12);
  const edited = parts.map((part) => (part.type === "trak" ? editTrack(part.body, movieScale, edits) : part.whole));
  await writeFile(to, Buffer.concat([...boxes.slice(0, -1).map(({ whole }) => whole), box("moov", edited)]));
}

function editTrack(track: Buffer, movieScale: number, edits: readonly Edit[]): Buffer {
  const parts = readBoxes(track);
  const media = parts.find(({ type }) => type === "mdia")!;
  const mediaScale = readBoxes(media.body)
    .find(({ type }) => type === "mdhd")!
    .body.readUInt32BE(12);
  // start of the track's own list, after encoder padding
  const own = parts.find(({ type }) => type === "edts");
  const begin = own ? readBoxes(own.body)[0]!.body.readInt32BE(12) : 0;
  const list = Buffer.alloc(8 + edits.length * 12);
  list.writeUInt32BE(edits.length, 4);
  edits.forEach(([from, to], i) => {
    list.writeUInt32BE(Math.round((to - from) * movieScale), 8 + i * 12);
    list.writeInt32BE(begin + Math.round(from * mediaScale), 12 + i * 12);
    list.writeUInt32BE(65_536, 16 + i * 12);
  });
  const kept = parts.filter(({ type }) => type !== "edts");
  const [trackHeader, ...others] = kept.map(({ whole }) => whole);
  return box("trak", [trackHeader!, box("edts", [box("elst", [list])]), ...others]);
}

/** Marks no frame as a sync sample. */
export async function dropSyncSamples(from: string, to: string): Promise<void> {
  const file = await readFile(from);
  file.writeUInt32BE(0, file.indexOf("stss") + 8);
  await writeFile(to, file);
}

type Mp4Box = { type: string; body: Buffer; whole: Buffer };

function readBoxes(data: Buffer): Mp4Box[] {
  const boxes: Mp4Box[] = [];
  for (let at = 0; at + 8 <= data.length;) {
    const size = data.readUInt32BE(at);
    const whole = data.subarray(at, at + size);
    boxes.push({ type: data.toString("latin1", at + 4, at + 8), body: whole.subarray(8), whole });
    at += Math.max(8, size);
  }
  return boxes;
}

function box(type: string, parts: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 4, "latin1");
  head.writeUInt32BE(
    parts.reduce((sum, part) => sum + part.length, 8),
    0,
  );
  return Buffer.concat([head, ...parts]);
}
