import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";

export type Measured = { sizeBytes: number; crc32: number };

/** Faster than Node's default of 64 kB. */
const PIECE_BYTES = 1024 ** 2;

/** Returns the SHA-256 digest. Hashes text as UTF-8. */
export function sha256Of(content: string | Uint8Array, encoding: "hex" | "base64url" = "hex"): string {
  return createHash("sha256").update(content).digest(encoding);
}

/** Throws the system's error. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: PIECE_BYTES }), hash);
  return hash.digest("hex");
}

/** Reads the source to its end and returns its size in bytes and CRC-32. Throws the source's error. */
export async function measure(source: AsyncIterable<Uint8Array>): Promise<Measured> {
  const measured = { sizeBytes: 0, crc32: 0 };
  for await (const piece of source) count(measured, piece);
  return measured;
}

/** Throws the system's error. */
export async function measureFile(file: string): Promise<Measured> {
  return await measure(createReadStream(file, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>);
}

/** Passes the pieces through unchanged and adds them to `measured`. */
export async function* measuring(source: AsyncIterable<Uint8Array>, measured: Measured): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    count(measured, piece);
    yield piece;
  }
}

/** Adds a piece to what has been measured. */
export function count(measured: Measured, piece: Uint8Array): void {
  measured.sizeBytes += piece.length;
  measured.crc32 = crc32(piece, measured.crc32);
}
