import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import type { StoredFile } from "#storage/storage.ts";

/** Reads bytes to their end and answers their size and CRC32. */
export async function checksumOf(bytes: Readable): Promise<StoredFile> {
  let sizeBytes = 0;
  let checksum = 0;
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    sizeBytes += piece.length;
    checksum = crc32(piece, checksum);
  }
  return { sizeBytes, crc32: checksum };
}

/** Calls `act` for each item, `atOnce` of them side by side. The first failure ends it, after what had begun. */
export async function forEachAtOnce<Item>(
  items: Iterable<Item>,
  atOnce: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const failing = new AbortController();
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done && !failing.signal.aborted; next = waiting.next()) {
      await act(next.value).catch((error: unknown) => {
        failing.abort();
        throw error;
      });
    }
  };
  const done = await Promise.allSettled(Array.from({ length: atOnce }, work));
  for (const result of done) if (result.status === "rejected") throw result.reason;
}
