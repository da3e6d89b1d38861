import type { ByteRange } from "#storage/storage.ts";

/** A download whose content has not been read yet. */
export type Download = {
  /** The file name for the browser. */
  fileName: string;
  type: string;
  sizeBytes: number;
  /** Changes whenever the bytes do. */
  etag: string;
  /** The key of the stored file; null if the download combines several files. */
  storageKey: string | null;
  /** Yields the bytes of a range. Ending the iteration early closes the source. */
  read(range: ByteRange): AsyncIterable<Uint8Array>;
};
