import { decodeBytes } from "#contract/table/encoding/decode-bytes.ts";
import { subtitleError } from "./subtitle-error.ts";

const NOT_TEXT = "is not a text file. Use SRT, VTT, ASS, or words as JSON";
const UNKNOWN = "is in an unknown encoding. Save it as UTF-8";
/** Of all letters: text in a Western European language has fewer accents. Cyrillic or Greek letters are all above. */
const MOST_ACCENTS = 0.4;

/**
 * Reads UTF-8 and UTF-16, with or without a byte order mark, and else Windows-1252, the most frequent of older
 * encodings. Throws ClipmillError "bad_subtitles" for anything else.
 */
export function decodeSubtitles(bytes: Uint8Array): string {
  const text = decode(bytes).replace(/^\uFEFF/, "");
  if (text.includes("\0")) throw subtitleError(NOT_TEXT);
  return text;
}

function decode(bytes: Uint8Array): string {
  const utf16 = findUtf16(bytes);
  const known = decodeBytes(bytes, utf16 ?? "utf-8");
  if (known !== null) return known;
  if (utf16 !== null || bytes.includes(0)) throw subtitleError(NOT_TEXT);
  const western = decodeBytes(bytes, "windows-1252");
  if (western === null) throw subtitleError(UNKNOWN);
  const letters = western.match(/\p{L}/gu)?.length ?? 0;
  const accents = western.match(/[\u00C0-\u00FF]/g)?.length ?? 0;
  if (accents > letters * MOST_ACCENTS) throw subtitleError(UNKNOWN);
  return western;
}

/** Times have ASCII digits, so that every second byte at the start is 0. */
function findUtf16([first, second, third, fourth]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return "utf-16le";
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 ? "utf-16be" : null;
}
