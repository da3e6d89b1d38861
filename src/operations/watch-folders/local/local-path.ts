import { isUtf8 } from "node:buffer";
import path from "node:path";

/**
 * Returns how a file is stored and shown. On Linux, names are bytes: `path` is the name or, for bytes that are not
 * UTF-8, their hexadecimal form after a slash, which no name contains. `name` then has replacement characters.
 */
export function toStoredPath(bytes: Buffer): { path: string; name: string } {
  const name = bytes.toString("utf8");
  // U+FFFD in a name is also what stands for other bytes.
  const isText = isUtf8(bytes) && !name.includes("\uFFFD");
  return { path: isText ? name : `/${bytes.toString("hex")}`, name };
}

/** Returns the absolute path of a file by its stored path. */
export function locateFile(folder: string, stored: string): Buffer {
  const bytes = stored.startsWith("/") ? Buffer.from(stored.slice(1), "hex") : Buffer.from(stored);
  return Buffer.concat([Buffer.from(folder + path.sep), bytes]);
}
