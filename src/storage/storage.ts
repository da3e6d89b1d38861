/** Where finished files live. One interface, so that a folder and an object store are the same to everybody else. */
import type { Readable } from "node:stream";

export type StoredFile = { sizeBytes: number; crc32: number };

/** The bytes from `start` to `end`, both counted from 0 and both included. */
export type ByteRange = { start: number; end: number };

/** Addresses of a storage elsewhere, where anybody reads one file for a while. */
export type FileAddresses = {
  /** What all of them start with: scheme, host and port. */
  origin: string;
  /** Valid for `seconds`, and answered with this type and disposition. Whether the file is there is not looked up. */
  of(key: string, options: { type: string; disposition: string | null; seconds: number }): Promise<string>;
};

/**
 * Keys are relative and `/`-separated, as `jobs/<id>/<name>`; a part may not be empty or start with a dot.
 * Every verb throws ClipmillError("invalid") for any other key, and "unavailable" when a storage elsewhere does not work.
 */
export interface Storage {
  /**
   * Takes a local file in: it is gone from `fromPath` afterwards. A crash leaves the whole file under the key or
   * what was there before. Throws "not_found" without the local file, "no_space" on a full disk, and the signal's reason
   * when that ends it, with nothing left behind.
   */
  put(key: string, fromPath: string, options?: { signal?: AbortSignal }): Promise<StoredFile>;
  /** The bytes of a file, or of a part of it that may reach behind its end. Throws "not_found", and "invalid" for a range that starts behind its end. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Bytes, or null when there is no such file. */
  sizeOf(key: string): Promise<number | null>;
  /** A path that ffmpeg can read. It belongs to the storage: read it, never write it. Throws "not_found". */
  toLocalFile(key: string): Promise<string>;
  /** Removes the file of that key and all files under `prefix/`. Nothing there is no error. */
  removeAll(prefix: string): Promise<void>;
  /** A folder has none. */
  addresses?: FileAddresses;
}
