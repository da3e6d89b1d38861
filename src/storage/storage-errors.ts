import { ClipmillError } from "#contract/errors.ts";
import type { ByteRange } from "./storage.ts";

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
