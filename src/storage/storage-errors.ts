/** Errors that all storages share. */
import { ClipmillError } from "#contract/errors.ts";
import type { ByteRange } from "./storage.ts";

/** Returns ClipmillError "not_found" for a key without a stored file. */
export function fileNotFound(key: string): ClipmillError {
  return new ClipmillError("not_found", "This file is not in storage.", { facts: { key } });
}

/** Returns ClipmillError "not_found" for a `put` whose local file is gone. `key` is the intended key in storage. */
export function localFileMissing(key: string, cause: unknown): ClipmillError {
  return new ClipmillError("not_found", "The file to store no longer exists.", { facts: { key }, cause });
}

/** Throws "invalid" for a range whose start is after its end. */
export function requireRange(range: ByteRange | undefined, key: string): void {
  if (range && !(range.start >= 0 && range.start <= range.end)) {
    throw new ClipmillError("invalid", "The requested range is outside the file.", { facts: { key, range } });
  }
}
