import { crc32, deflateSync } from "node:zlib";

/** `pixels` is RGBA, row by row; a short list is repeated. */
export function makePng(width: number, height: number, pixels: readonly number[], extra: Buffer[] = []): Buffer {
  const row = 4 * width;
  const rows = Buffer.alloc(height * (row + 1));
  for (let y = 0; y < height; y++) {
    for (let i = 0; i < row; i++) rows[y * (row + 1) + 1 + i] = pixels[(y * row + i) % pixels.length]!;
  }
  return joinPng(pngHeader(width, height), ...extra, pngChunk("IDAT", deflateSync(rows)));
}

export function joinPng(...chunks: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1A\n", "latin1"), ...chunks, pngChunk("IEND", Buffer.alloc(0))]);
}

export function pngHeader(width: number, height: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 6], 8);
  return pngChunk("IHDR", data);
}

export function pngChunk(name: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(name, 4, "latin1");
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

/** 300 x 200 pixels of rgb(192 32 48), lossless. */
export const WEBP = Buffer.from("UklGRiQAAABXRUJQVlA4TBgAAAAvK8ExAAdQkAIXpv8BAEX6/58i+p/6/zU=", "base64");

/** 40 x 20 pixels of the same color, half transparent, lossy. */
export const TRANSLUCENT_WEBP = Buffer.from(
  "UklGRmwAAABXRUJQVlA4WAoAAAAQAAAAJwAAEwAAQUxQSAoAAAABB9C/iAhERP8DVlA4IDwAAAAwAwCdASooABQAPrVYpk6nJSOiJWgA4BaJZwDOOA8KnQ4AAP7r3i7Dk2uvv/5Kf/eV/ru2aQCXWEgAAAA=",
  "base64",
);

/** 8 x 8 pixels, two frames. */
export const ANIMATED_WEBP = Buffer.from(
  "UklGRoQAAABXRUJQVlA4WAoAAAACAAAABwAABwAAQU5JTQYAAAD/////AQBBTk1GKAAAAAAAAAAAAAcAAAcAAMgAAAJWUDhMDwAAAC8HwAEABxD1j/4HIqL/AQBBTk1GKAAAAAAAAAAAAAcAAAcAAMgAAABWUDhMDwAAAC8HwAEAB9DXiP4HIqL/AQA=",
  "base64",
);
