import { ClipmillError } from "#contract/errors.ts";

/** Object stores' limit, in bytes of UTF-8. */
const MAX_KEY_BYTES = 1024;
// Trailing whitespace, or characters that some file systems refuse, could merge two keys or make one unusable.
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
