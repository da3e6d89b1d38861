import type { Readable } from "node:stream";
import { ClipmillError } from "#contract/errors.ts";
import type { Measured } from "#ground/checksum.ts";

/** From 0, both inclusive. */
export type ByteRange = { start: number; end: number };

/** `sha256` of a file is in hex. */
export type PutRequest = { url: string; headers: Record<string, string> };

export type FileAddresses = {
  origin: string;
  /** Returns a public URL for `seconds`, with this type and disposition. Does not check that the file exists. */
  of(key: string, options: { type: string; disposition: string | null; seconds: number }): Promise<string>;
  /** Returns a request with which anyone can store this content under the key for `seconds`. */
  toPut(key: string, file: { sizeBytes: number; sha256: string; seconds: number }): Promise<PutRequest>;
};

/**
 * Keys are relative and `/`-separated, such as `jobs/<id>/<name>`; no part is empty or starts with a dot. Every method
 * throws ClipmillError("invalid") for other keys, and "unavailable" if remote storage fails.
 */
export interface Storage {
  /**
   * Moves a local file into storage, atomically. Returns the measured content; `measured` skips measuring. Throws
   * "not_found" without a local file, "no_space" on a full disk, and the signal's reason on abort, leaving nothing
   * behind.
   */
  put(key: string, fromPath: string, options?: { signal?: AbortSignal; measured?: Measured | null }): Promise<Measured>;
  /** The range may extend past the end. Throws "not_found", or "invalid" if the start is after the end. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** In bytes; null if the file does not exist. */
  sizeOf(key: string): Promise<number | null>;
  /** Returns a path for ffmpeg, read-only. Throws "not_found". */
  toLocalFile(key: string): Promise<string>;
  /** Removes the file with that key and all files under `prefix/`. */
  removeAll(prefix: string): Promise<void>;
  /** Absent for a folder. */
  addresses?: FileAddresses;
}

export function fileNotFound(key: string): ClipmillError {
  return new ClipmillError("not_found", "This file is not in storage.", { facts: { key } });
}

/** For a `put` whose local file is missing. `key` is the intended key. */
export function localFileMissing(key: string, cause: unknown): ClipmillError {
  return new ClipmillError("not_found", "The file to store no longer exists.", { facts: { key }, cause });
}

export function requireRange(range: ByteRange | undefined, key: string): void {
  if (range && !(range.start >= 0 && range.start <= range.end)) {
    throw new ClipmillError("invalid", "The requested range is outside the file.", { facts: { key, range } });
  }
}

/** Object stores' limit, in bytes of UTF-8. */
const MAX_KEY_BYTES = 1024;
// Trailing whitespace, or characters that some file systems reject, could merge two keys or make one unusable.
const PLAIN_PART = /^(?![.\s])[^\\:*?"<>|\p{Cc}]+(?<![.\s])$/u;

/** Splits a key. Throws ClipmillError("invalid") for one that is malformed or could escape the storage. */
export function partsOfKey(key: string): string[] {
  const parts = key.split("/");
  const isPlain = key.isWellFormed() && Buffer.byteLength(key) <= MAX_KEY_BYTES;
  if (!isPlain || !parts.every((part) => PLAIN_PART.test(part))) {
    throw new ClipmillError("invalid", "This name is not valid for a stored file.", { facts: { key } });
  }
  return parts;
}
