import type { ByteRange } from "#storage/storage.ts";

/** A download before its content is read. */
export type Download = {
  /** The browser's name for it. */
  fileName: string;
  type: string;
  sizeBytes: number;
  /** Changes whenever the bytes do. */
  etag: string;
  /** Null if several files are combined. */
  storageKey: string | null;
  /** Yields a range's bytes. Ending the iteration early closes the source. */
  read(range: ByteRange): AsyncIterable<Uint8Array>;
};
