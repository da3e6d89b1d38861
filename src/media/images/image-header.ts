import { ClipmillError } from "#contract/errors.ts";
import { MAX_IMAGE_PIXELS_A_SIDE } from "#contract/library.ts";
import type { Size } from "../plan/fit-size.ts";

type ImageFormat = "png" | "webp";
/** Bytes after `endBytes` are unchecked and must not be decoded. */
export type ImageHeader = Size & { format: ImageFormat; endBytes: number };

const PNG_SIGNATURE = Buffer.from("\x89PNG\r\n\x1A\n", "latin1");
const ANIMATED = 0x02;

/** ffmpeg decompresses these chunks, up to a thousandfold. Color profiles take a few kB. */
const COMPRESSED_METADATA = new Set(["iCCP", "zTXt"]);
const MAX_COMPRESSED_METADATA_BYTES = 64 * 1_024;

type Chunk = { name: string; data: Buffer; end: number };
/** A WebP image with a canvas states several sizes; the largest counts. */
type Facts = { sizes: Size[]; isAnimated: boolean; isComplete: boolean; endBytes: number };

/**
 * Checks an image before anything decodes it. Throws ClipmillError "not_an_image" (another format, or animated),
 * "too_large" (pixels, or compressed metadata) and "damaged" (truncated, or without a picture).
 */
export function readImageHeader(bytes: Buffer): ImageHeader {
  const format = formatOf(bytes);
  if (!format) throw new ClipmillError("not_an_image", "This file is not a PNG or WebP image.");
  const { sizes, isAnimated, isComplete, endBytes } = format === "png" ? readPng(bytes) : readWebp(bytes);
  if (isAnimated) throw new ClipmillError("not_an_image", "This image is animated. Use a still PNG or WebP image.");
  const width = Math.max(0, ...sizes.map((size) => size.width));
  const height = Math.max(0, ...sizes.map((size) => size.height));
  if (width > MAX_IMAGE_PIXELS_A_SIDE || height > MAX_IMAGE_PIXELS_A_SIDE) throw tooManyPixels(width, height);
  if (!isComplete || width === 0 || height === 0) {
    throw new ClipmillError("damaged", "The image is damaged or incomplete.", { facts: { format, width, height } });
  }
  return { format, width, height, endBytes };
}

function tooManyPixels(width: number, height: number): ClipmillError {
  const size = `${width.toLocaleString("en")} x ${height.toLocaleString("en")}`;
  const most = MAX_IMAGE_PIXELS_A_SIDE.toLocaleString("en");
  return new ClipmillError("too_large", `This image is ${size} pixels. The limit is ${most} x ${most}.`, {
    facts: { width, height },
  });
}

function tooMuchMetadata(metadataBytes: number): ClipmillError {
  const sentence = "The image's metadata is too large. Export the image again without metadata.";
  return new ClipmillError("too_large", sentence, { facts: { metadataBytes } });
}

function formatOf(bytes: Buffer): ImageFormat | null {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return "png";
  return nameAt(bytes, 0) === "RIFF" && nameAt(bytes, 8) === "WEBP" ? "webp" : null;
}

/** A truncated file lacks the last chunk, IEND. https://www.w3.org/TR/png-3/#5DataRep, 2026-11-22 */
function readPng(bytes: Buffer): Facts {
  const facts: Facts = { sizes: [], isAnimated: false, isComplete: false, endBytes: 0 };
  let metadataBytes = 0;
  for (const { name, data, end } of pngChunks(bytes)) {
    facts.endBytes = end;
    if (COMPRESSED_METADATA.has(name)) metadataBytes += data.length;
    if (name === "IHDR" && data.length >= 8) {
      facts.sizes.push({ width: data.readUInt32BE(0), height: data.readUInt32BE(4) });
    }
    if (name === "acTL") facts.isAnimated = true;
    if (name === "IEND") facts.isComplete = true;
  }
  if (metadataBytes > MAX_COMPRESSED_METADATA_BYTES) throw tooMuchMetadata(metadataBytes);
  return facts;
}

function* pngChunks(bytes: Buffer): Generator<Chunk> {
  let at = PNG_SIGNATURE.length;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    if (at + 12 + length > bytes.length) return;
    const name = nameAt(bytes, at + 4);
    const end = at + 12 + length;
    yield { name, data: bytes.subarray(at + 8, at + 8 + length), end };
    if (name === "IEND") return;
    at = end;
  }
}

/** https://developers.google.com/speed/webp/docs/riff_container, 2026-11-22 */
function readWebp(bytes: Buffer): Facts {
  const endBytes = bytes.length >= 12 ? 8 + bytes.readUInt32LE(4) : Infinity;
  const facts: Facts = { sizes: [], isAnimated: false, isComplete: false, endBytes };
  if (endBytes > bytes.length) return facts;
  for (const { name, data } of webpChunks(bytes.subarray(0, endBytes))) {
    const size = webpSize(name, data);
    if (size) facts.sizes.push(size);
    if (name === "ANIM" || name === "ANMF" || (name === "VP8X" && (data[0]! & ANIMATED) !== 0)) facts.isAnimated = true;
    if (name === "VP8 " || name === "VP8L") facts.isComplete = size !== null;
  }
  return facts;
}

function* webpChunks(bytes: Buffer): Generator<Omit<Chunk, "end">> {
  let at = 12;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > bytes.length) return;
    yield { name: nameAt(bytes, at), data: bytes.subarray(at + 8, at + 8 + length) };
    // Chunks are padded to even lengths.
    at += 8 + length + (length % 2);
  }
}

function webpSize(name: string, data: Buffer): Size | null {
  if (data.length < 10) return null;
  if (name === "VP8X") return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  if (name === "VP8 ") return { width: data.readUInt16LE(6) & 0x3f_ff, height: data.readUInt16LE(8) & 0x3f_ff };
  if (name !== "VP8L") return null;
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 };
}

function nameAt(bytes: Buffer, at: number): string {
  return bytes.toString("latin1", at, at + 4);
}
