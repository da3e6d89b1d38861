/**
 * Decodes alike in browsers and in Node, whose decoders of Shift JIS, Big5, EUC-KR and EUC-JP differ from the Encoding
 * Standard (Node 26: nodejs.org/api/util.html, "WHATWG supported encodings", uses ICU). A test compares them with a
 * browser, byte by byte.
 */
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
  const forbidden = OTHERWISE[encoding];
  if (!forbidden) return true;
  for (let index = 0; index < bytes.length; index++) {
    const lead = bytes[index]!;
    if (lead < 0x80) continue;
    const pair = lead * 0x100 + (bytes[++index] ?? 0);
    if (forbidden.some(([first, last]) => pair >= first && pair <= last)) return false;
    // The prefix of three bytes.
    if (encoding === "euc-jp" && lead === 0x8f) index++;
  }
  return true;
}

/** Decodes EUC-KR with the additions of Windows-949, which Excel writes, and which Node's decoder lacks. */

/** Returns null if the bytes are not text in this encoding. */
function decodeKorean(bytes: Uint8Array): string | null {
  const decoder = new TextDecoder("euc-kr", { fatal: true });
  const parts: string[] = [];
  let start = 0;
  try {
    for (let index = 0; index < bytes.length; index++) {
      const lead = bytes[index]!;
      if (lead < 0x80) continue;
      const trail = bytes[++index] ?? 0;
      const added = additions().get(lead * 0x100 + trail);
      if (added === undefined && lead > 0xa0 && trail > 0xa0) continue;
      if (added === undefined) return null;
      parts.push(decoder.decode(bytes.subarray(start, index - 1)), added);
      start = index + 1;
    }
    return parts.join("") + decoder.decode(bytes.subarray(start));
  } catch {
    return null;
  }
}

const TRAILS = [...range(0x41, 0x5a), ...range(0x61, 0x7a), ...range(0x81, 0xfe)];
/** The trail bytes that Windows-949 adds to rows of the standard. */
const FEWER_TRAILS = TRAILS.filter((trail) => trail <= 0xa0);

/** Later additions to the standard. */
const SIGNS = [
  [0xa2e6, "€"],
  [0xa2e7, "®"],
] as const;

/** The standard's syllables are in rows 0xb0 to 0xc8. Windows-949 adds all others, in the order of Unicode. */
function readAdditions(): Map<number, string> {
  const standard = range(0xb0, 0xc8).flatMap((lead) => range(0xa1, 0xfe).flatMap((trail) => [lead, trail]));
  const known = new Set(new TextDecoder("euc-kr").decode(new Uint8Array(standard)));
  const added = range(0xac00, 0xd7a3)
    .map((code) => String.fromCharCode(code))
    .filter((syllable) => !known.has(syllable));
  const pairs = range(0x81, 0xc6).flatMap((lead) =>
    (lead > 0xa0 ? FEWER_TRAILS : TRAILS).map((trail) => lead * 0x100 + trail),
  );
  return new Map([...SIGNS, ...added.map((syllable, index) => [pairs[index]!, syllable] as const)]);
}

let read: Map<number, string> | null = null;
const additions = (): Map<number, string> => (read ??= readAdditions());

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
