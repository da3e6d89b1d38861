const MOST_FILE_BYTES = 16 * 1024 ** 2;

export type DecodedTable = { text: string } | { problem: string };

const SAVE_AS = "Save it as CSV UTF-8 in your spreadsheet program and choose that file.";

/** Accepts UTF-8, and UTF-16 with a byte order mark. `problem` is one sentence that says what to do. */
export function decodeTable(bytes: Uint8Array): DecodedTable {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) {
    return { problem: `This is a spreadsheet document, not a CSV file. ${SAVE_AS}` };
  }
  const encoding = startsWith(bytes, [0xff, 0xfe])
    ? "utf-16le"
    : startsWith(bytes, [0xfe, 0xff])
      ? "utf-16be"
      : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? { problem: NOT_TEXT } : { text };
  } catch {
    return { problem: bytes.includes(0) ? NOT_TEXT : `This file is not in UTF-8. ${SAVE_AS}` };
  }
}

const NOT_TEXT = "This file is not a table. Choose a CSV or TSV file.";

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

/** Never rejects. */
export async function readTableFile(file: File): Promise<DecodedTable> {
  if (file.size > MOST_FILE_BYTES) return { problem: "This file is larger than 16 MB. Split it into smaller tables." };
  try {
    return decodeTable(new Uint8Array(await file.arrayBuffer()));
  } catch {
    return { problem: "This file couldn't be read. It may have been moved or changed; choose it again." };
  }
}
