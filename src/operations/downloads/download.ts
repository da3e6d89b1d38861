import type { ByteRange } from "#storage/storage.ts";

export type Download = {
  fileName: string;
  type: string;
  sizeBytes: number;
  /** Changes whenever the bytes do. */
  etag: string;
  /** Null if several files are combined. */
  storageKey: string | null;
  /** Ending the iteration early closes the source. */
  read(range: ByteRange): AsyncIterable<Uint8Array>;
};
