import type { ByteRange } from "#storage/storage.ts";

/** A download before its content is read. */
export type Download = {
  /** File name for the browser. */
  fileName: string;
  type: string;
  sizeBytes: number;
  /** Changes whenever the bytes do. */
  etag: string;
  /** Key of the stored file; null if several are combined. */
  storageKey: string | null;
  /** Yields a range's bytes. Ending the iteration early closes the source. */
  read(range: ByteRange): AsyncIterable<Uint8Array>;
};
