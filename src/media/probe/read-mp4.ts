import { type FileHandle, open } from "node:fs/promises";

export type Mp4Facts = {
  frames: number;
  seconds: number;
};

/** The header of two hours of video with sound takes a few megabytes. */
const MAX_HEADER_BYTES = 256 * 1024 ** 2;

/** Only for MP4s that Clipmill wrote. Returns null without a picture or for an incomplete file. */
export async function readMp4(path: string): Promise<Mp4Facts | null> {
  const found = await readHeader(path);
  return found && readPicture(found.header);
}

/** `header` is the content of the moov box; `isInFront` if it precedes the media. */
export type Mp4Header = { header: Buffer; isInFront: boolean; sizeBytes: number };

/** Only for MP4s that Clipmill wrote. Returns null for an incomplete file. */
export async function readHeader(path: string): Promise<Mp4Header | null> {
  const file = await open(path).catch(() => null);
  if (!file) return null;
  try {
    const { size: sizeBytes } = await file.stat();
    const movie = await readMovie(file);
    return movie && { header: movie.header, isInFront: movie.isInFront, sizeBytes };
  } finally {
    await file.close();
  }
}

/** `data` is the content of the last mdat box. */
export type Movie = { header: Buffer; isInFront: boolean; data: { at: number; bytes: number } };

/** Returns null if the header is missing or over 256 MB, or a box extends beyond the file. */
export async function readMovie(file: FileHandle): Promise<Movie | null> {
  const { size: sizeBytes } = await file.stat();
  let header: Buffer | null = null;
  let isInFront = true;
  let data = { at: 0, bytes: 0 };
  for (let at = 0; at < sizeBytes;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(16), position: at });
    if (bytesRead < 8) return null;
    const short = buffer.readUInt32BE(0);
    const length = short === 1 ? Number(buffer.readBigUInt64BE(8)) : short;
    if (length < 8 || at + length > sizeBytes) return null;
    const name = buffer.toString("latin1", 4, 8);
    const headBytes = short === 1 ? 16 : 8;
    if (name === "mdat") {
      if (!header) isInFront = false;
      data = { at: at + headBytes, bytes: length - headBytes };
    }
    if (name === "moov") {
      if (length > MAX_HEADER_BYTES) return null;
      header = Buffer.alloc(length - 8);
      await file.read({ buffer: header, position: at + 8 });
    }
    at += length;
  }
  return header && { header, isInFront, data };
}

function readPicture(header: Buffer): Mp4Facts | null {
  const movie = boxesIn(header).find(({ name }) => name === "mvhd")?.content;
  if (!movie) return null;
  const perSecond = movie.readUInt32BE(movie[0] === 1 ? 20 : 12);
  for (const { name, content: track } of boxesIn(header)) {
    if (name !== "trak") continue;
    const media = findBox(track, ["mdia"]);
    const times = media && findBox(media, ["minf", "stbl", "stts"]);
    const trackHeader = findBox(track, ["tkhd"]);
    if (!times || !trackHeader || findBox(media, ["hdlr"])?.toString("latin1", 8, 12) !== "vide") continue;
    const duration = trackHeader[0] === 1 ? Number(trackHeader.readBigUInt64BE(28)) : trackHeader.readUInt32BE(20);
    return { frames: countSamples(times), seconds: duration / perSecond };
  }
  return null;
}

function countSamples(times: Buffer): number {
  const entries = times.readUInt32BE(4);
  let frames = 0;
  for (let i = 0; i < entries; i++) frames += times.readUInt32BE(8 + i * 8);
  return frames;
}

export function findBox(box: Buffer, path: string[]): Buffer | undefined {
  return path.reduce<Buffer | undefined>(
    (outer, name) => outer && boxesIn(outer).find((box) => box.name === name)?.content,
    box,
  );
}

export function boxesIn(content: Buffer): { name: string; content: Buffer }[] {
  const boxes = [];
  for (let at = 0; at + 8 <= content.length;) {
    const length = content.readUInt32BE(at);
    if (length < 8 || at + length > content.length) break;
    boxes.push({ name: content.toString("latin1", at + 4, at + 8), content: content.subarray(at + 8, at + length) });
    at += length;
  }
  return boxes;
}
