/** Storage for finished files: a folder or an object store behind one interface. */
import type { Readable } from "node:stream";
import type { Measured } from "#ground/checksum.ts";

/** Both counted from 0 and inclusive. */
export type ByteRange = { start: number; end: number };

/** Temporary public URLs of single files. */
export type FileAddresses = {
  /** Scheme, host and port that all URLs share. */
  origin: string;
  /**
   * Returns a URL that is valid for `seconds` and responds with this type and disposition. Does not check that the file
   * exists.
   */
  of(key: string, options: { type: string; disposition: string | null; seconds: number }): Promise<string>;
};

/**
 * Keys are relative and `/`-separated, such as `jobs/<id>/<name>`; no part is empty or starts with a dot. Every method
 * throws ClipmillError("invalid") for other keys, and "unavailable" if remote storage fails.
 */
export interface Storage {
  /**
   * Moves a local file into storage. A crash leaves either the complete file or the previous one under the key. Returns
   * the measured content; `measured` skips measuring. Throws "not_found" without a local file, "no_space" on a full
   * disk, and the signal's reason on abort, leaving nothing behind.
   */
  put(key: string, fromPath: string, options?: { signal?: AbortSignal; measured?: Measured | null }): Promise<Measured>;
  /**
   * Reads a file or a range, which may extend past its end. Throws "not_found", or "invalid" for a range whose start is
   * after its end.
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Returns the size in bytes, or null if the file does not exist. */
  sizeOf(key: string): Promise<number | null>;
  /** Returns a path for ffmpeg, to be read only. Throws "not_found". */
  toLocalFile(key: string): Promise<string>;
  /** Removes the file with that key and all files under `prefix/`, if any. */
  removeAll(prefix: string): Promise<void>;
  /** Absent for a folder. */
  addresses?: FileAddresses;
}
