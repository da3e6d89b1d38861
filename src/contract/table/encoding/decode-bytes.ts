/**
 * Decodes alike in browsers and in Node, whose decoders of Shift JIS, Big5, EUC-KR and EUC-JP differ from the Encoding
 * Standard (Node 26: nodejs.org/api/util.html, "WHATWG supported encodings", uses ICU). A test compares them with a
 * browser, byte by byte.
 */
import { decodeKorean } from "./decode-korean.ts";
import type { TableEncoding } from "./table-encodings.ts";

/** Returns null if the bytes are not text in this encoding. */
export function decodeBytes(bytes: Uint8Array, encoding: TableEncoding): string | null {
  if (encoding.startsWith("utf-")) return decode(bytes, encoding);
  if (!isReadAlike(bytes, encoding)) return null;
  const text = encoding === "euc-kr" ? decodeKorean(bytes) : decode(bytes, encoding);
  return text === null || NOT_TEXT.test(text) ? null : text;
}

/**
 * Control characters and private ones. No table has them, each decoder maps other unassigned bytes to them, and they
 * show that another encoding was used.
 */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const NOT_TEXT = /[\0-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff]/;

function decode(bytes: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Pairs of bytes that Node's decoders lack or decode differently: [first, last]. */
const OTHERWISE: Partial<Record<TableEncoding, readonly (readonly [number, number])[]>> = {
  // Hong Kong's additions, and pictures of control characters.
  big5: [
    [0x8000, 0xa13f],
    [0xa3c0, 0xa43f],
    [0xc6a1, 0xc93f],
    [0xf9d6, 0xffff],
  ],
  // Single half-width characters, and IBM's characters at different code points.
  "euc-jp": [
    [0x8ee0, 0x8eff],
    [0x8ff3, 0x8ff3],
  ],
};

function isReadAlike(bytes: Uint8Array, encoding: TableEncoding): boolean {
  const refused = OTHERWISE[encoding];
  if (!refused) return true;
  for (let index = 0; index < bytes.length; index++) {
    const lead = bytes[index]!;
    if (lead < 0x80) continue;
    const pair = lead * 0x100 + (bytes[++index] ?? 0);
    if (refused.some(([first, last]) => pair >= first && pair <= last)) return false;
    // The prefix of three bytes.
    if (encoding === "euc-jp" && lead === 0x8f) index++;
  }
  return true;
}
