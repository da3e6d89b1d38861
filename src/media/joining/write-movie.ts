/** Writes tracks to one MP4 by copying their samples. */
import { type FileHandle, open } from "node:fs/promises";
import { createMeter, type Measured } from "#ground/checksum.ts";
import { lendBuffer } from "#ground/lend-buffer.ts";
import { type Chunk, interleave } from "./interleave.ts";
import { movieHeader } from "./movie-header.ts";
import type { Piece, Track } from "./track.ts";

/**
 * Writes a picture, and a sound if there is one, to `file` with the index in front. Equal tracks make equal files.
 * Returns the size and checksums of what was written, which takes no further read. Throws the system's error, an error
 * if samples are missing, and the signal's reason.
 */
export async function writeMovie(
  tracks: readonly [Track, ...Track[]],
  file: string,
  signal?: AbortSignal,
): Promise<Measured> {
  const chunks = interleave(tracks);
  await using sources = openPieces(tracks);
  await using output = await open(file, "w");
  const meter = createMeter();
  using lent = lendBuffer();
  const { buffer } = lent;
  let filled = 0;
  const flush = async (): Promise<void> => {
    const full = buffer.subarray(0, filled);
    meter.add(full);
    await output.writeFile(full);
    filled = 0;
  };
  const header = movieHeader(tracks, chunks);
  meter.add(header);
  await output.writeFile(header);
  for (const chunk of chunks) {
    signal?.throwIfAborted();
    for await (const range of sources.rangesOf(chunk)) {
      for (let left = range.bytes, at = range.at; left > 0;) {
        const wanted = Math.min(left, buffer.length - filled);
        const { bytesRead } = await range.handle.read(buffer, filled, wanted, at);
        if (bytesRead === 0) throw new Error("A stream ends before its last sample.");
        [filled, left, at] = [filled + bytesRead, left - bytesRead, at + bytesRead];
        if (filled === buffer.length) await flush();
      }
    }
  }
  await flush();
  return meter.read();
}

/** Opens each track's pieces one after another and returns where the next chunk of a track is. */
function openPieces(tracks: readonly Track[]) {
  const places = tracks.map(({ pieces }) => ({ pieces: [...pieces], handle: null as FileHandle | null, used: 0 }));
  return {
    async *rangesOf({ track, bytes }: Chunk): AsyncGenerator<Pick<Piece, "at" | "bytes"> & { handle: FileHandle }> {
      const place = places[track]!;
      for (let left = bytes; left > 0;) {
        const piece = place.pieces[0];
        if (!piece) throw new Error("A track has more samples than its pieces.");
        place.handle ??= await open(piece.path);
        const taken = Math.min(left, piece.bytes - place.used);
        yield { handle: place.handle, at: piece.at + place.used, bytes: taken };
        [left, place.used] = [left - taken, place.used + taken];
        if (place.used < piece.bytes) continue;
        await place.handle.close();
        Object.assign(place, { handle: null, used: 0 });
        place.pieces.shift();
      }
    },
    async [Symbol.asyncDispose]() {
      for (const { handle } of places) await handle?.close();
    },
  };
}
