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
  if (encoding === "big5" && !isPlainBig5(bytes)) return null;
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

/** Refuses Hong Kong's additional characters and the pictures of control characters: Node's decoder lacks them. */
function isPlainBig5(bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index++) {
    const lead = bytes[index]!;
    if (lead < 0x80) continue;
    const pair = lead * 0x100 + (bytes[++index] ?? 0);
    const isPlain =
      pair >= 0xa140 && pair < 0xf9d6 && !(pair >= 0xa3c0 && pair < 0xa440) && !(pair >= 0xc6a1 && pair < 0xc940);
    if (!isPlain) return false;
  }
  return true;
}
