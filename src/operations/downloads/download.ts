import type { ByteRange } from "#storage/storage.ts";

/** Something to download, before a byte of it is read. */
export type Download = {
  /** What the browser should call it. */
  fileName: string;
  type: string;
  sizeBytes: number;
  /** Differs whenever the bytes do. */
  etag: string;
  /** Of the one stored file that this is; null for what is made of several. */
  storageKey: string | null;
  /** The bytes of a range. Ending the iteration early closes what it reads from. */
  read(range: ByteRange): AsyncIterable<Uint8Array>;
};
