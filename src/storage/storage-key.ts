import { ClipmillError } from "#contract/errors.ts";

/** The longest key an object store takes, in bytes of UTF-8. */
const LONGEST_KEY_BYTES = 1024;
// Whitespace at an end and characters that some file system refuses would make two keys one, or none.
const PLAIN_PART = /^(?![.\s])[^\\:*?"<>|\p{Cc}]+(?<![.\s])$/u;

/** The parts of a storage key. Throws ClipmillError("invalid") for a key that could leave the storage or is unclean. */
export function partsOfKey(key: string): string[] {
  const parts = key.split("/");
  const isPlain = key.isWellFormed() && Buffer.byteLength(key) <= LONGEST_KEY_BYTES;
  if (!isPlain || !parts.every((part) => PLAIN_PART.test(part))) {
    throw new ClipmillError("invalid", "This name cannot be used for a stored file.", { facts: { key } });
  }
  return parts;
}
