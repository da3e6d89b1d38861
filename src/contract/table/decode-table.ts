import { decodeBytes } from "./encoding/decode-bytes.ts";
import type { TableEncoding } from "./encoding/table-encodings.ts";

/** `problem` is one sentence, or two with what to do. `isUnknown`: another `encoding` may help. */
export type DecodedTable = { text: string } | { problem: string; isUnknown?: true };

const NOT_TEXT = "This file is not a table. Choose a CSV or TSV file.";

/**
 * Reads UTF-8, and UTF-16 with a byte order mark. A table without a mark can be in another encoding, which its author
 * must name: a guess would put wrong letters into videos.
 */
export function decodeTable(bytes: Uint8Array, encoding: TableEncoding | null = null): DecodedTable {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) {
    return {
      problem: "This is a spreadsheet document, not a CSV file. Save it as CSV UTF-8 and use that file.",
    };
  }
  const marked = encodingOfMark(bytes);
  const used = marked ?? encoding ?? "utf-8";
  const text = decodeBytes(bytes, used);
  if (text !== null) return text.includes("\0") ? { problem: NOT_TEXT } : { text };
  if (bytes.includes(0)) return { problem: NOT_TEXT };
  if (used === marked) {
    return { problem: `This file starts with the mark of ${used}, but is not in it. Save it as CSV UTF-8 again.` };
  }
  if (encoding) return { problem: `This file is not in ${encoding}. Choose another encoding.`, isUnknown: true };
  return { problem: "This file is not in UTF-8.", isUnknown: true };
}

function encodingOfMark(bytes: Uint8Array): TableEncoding | null {
  if (startsWith(bytes, [0xff, 0xfe])) return "utf-16le";
  if (startsWith(bytes, [0xfe, 0xff])) return "utf-16be";
  return startsWith(bytes, [0xef, 0xbb, 0xbf]) ? "utf-8" : null;
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}
