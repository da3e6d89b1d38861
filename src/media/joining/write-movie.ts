import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { type Checked, combineCrc32, type Measured } from "#ground/checksum.ts";
import { lendBuffer } from "#ground/lend-buffer.ts";
import { type Chunk, interleave } from "./interleave.ts";
import { movieHeader } from "./movie-header.ts";
import type { Piece, Track } from "./track.ts";

/**
 * Copies the samples to one MP4 with the index in front. Equal tracks make equal files. Returns size and checksums
 * without another read. Throws the system's error, an error if samples are missing, and the signal's reason.
 */
export async function writeMovie(
  tracks: readonly [Track, ...Track[]],
  file: string,
  signal?: AbortSignal,
): Promise<Measured> {
  const chunks = interleave(tracks);
  await using sources = openPieces(tracks);
  await using output = await open(file, "w");
  using first = lendBuffer();
  using second = lendBuffer();
  const hash = createHash("sha256");
  const header = movieHeader(tracks, chunks);
  hash.update(header);
  await output.writeFile(header);
  const checked = { sizeBytes: header.length, crc32: crc32(header) };
  const blocks = readBlocks(sources.rangesOf(chunks), [first.buffer, second.buffer], checked);
  for (let block = await blocks.next(); !block.done;) {
    signal?.throwIfAborted();
    // Reads the next block while this one is written and hashed.
    const both = Promise.allSettled([blocks.next(), output.writeFile(block.value)]);
    hash.update(block.value);
    const [read, written] = await both;
    if (written.status === "rejected") throw written.reason;
    if (read.status === "rejected") throw read.reason;
    block = read.value;
  }
  return { ...checked, sha256: hash.digest("hex") };
}

type Range = {
  handle: FileHandle;
  at: number;
  bytes: number;
  piece: Piece;
};

/** CRC-32 of earlier ranges, by start and size: outputs that share a picture compute each only once. */
const knownChecks = new WeakMap<Piece, Map<string, number>>();

/** Alternates two buffers: a block stays valid while the next one is read. Adds to `checked`. */
async function* readBlocks(
  ranges: AsyncIterable<Range>,
  buffers: [Buffer, Buffer],
  checked: Checked,
): AsyncGenerator<Buffer> {
  let [buffer, other] = buffers;
  let filled = 0;
  for await (const { handle, at, bytes, piece } of ranges) {
    const known = knownChecks.get(piece) ?? new Map<string, number>();
    knownChecks.set(piece, known);
    const name = `${at}+${bytes}`;
    const before = known.get(name);
    let check = before ?? 0;
    for (let left = bytes; left > 0;) {
      const wanted = Math.min(left, buffer.length - filled);
      const { bytesRead } = await handle.read(buffer, filled, wanted, at + bytes - left);
      if (bytesRead === 0) throw new Error("A stream ends before its last sample.");
      if (before === undefined) check = crc32(buffer.subarray(filled, filled + bytesRead), check);
      [filled, left] = [filled + bytesRead, left - bytesRead];
      if (filled < buffer.length) continue;
      yield buffer;
      [buffer, other, filled] = [other, buffer, 0];
    }
    known.set(name, check);
    checked.crc32 = combineCrc32(checked.crc32, check, bytes);
    checked.sizeBytes += bytes;
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}

function openPieces(tracks: readonly Track[]) {
  const places = tracks.map(({ pieces }) => ({ pieces: [...pieces], handle: null as FileHandle | null, used: 0 }));
  return {
    async *rangesOf(chunks: readonly Chunk[]): AsyncGenerator<Range> {
      for (const { track, bytes } of chunks) {
        const place = places[track]!;
        for (let left = bytes; left > 0;) {
          const piece = place.pieces[0];
          if (!piece) throw new Error("A track has more samples than its pieces.");
          const handle = place.handle ?? (await open(piece.path));
          place.handle = handle;
          const taken = Math.min(left, piece.bytes - place.used);
          yield { handle, at: piece.at + place.used, bytes: taken, piece };
          [left, place.used] = [left - taken, place.used + taken];
          if (place.used < piece.bytes) continue;
          await handle.close();
          Object.assign(place, { handle: null, used: 0 });
          place.pieces.shift();
        }
      }
    },
    async [Symbol.asyncDispose]() {
      for (const { handle } of places) await handle?.close();
    },
  };
}
