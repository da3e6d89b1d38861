import { utf8Bytes } from "./storable-text.ts";

const MAX_BYTES = 120;
const FORBIDDEN_CHARACTERS = /[/\\:*?"<>|]/g;
// Controls, line separators, bidirectional marks, zero-width spaces. Joiners stay: emoji need them.
const INVISIBLE_CHARACTERS =
  /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF\uFFFD]/gu;
const RESERVED_ON_WINDOWS = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00B9\u00B2\u00B3])\s*(?:\.|$)/i;
const EXTENSION = /\.[A-Za-z0-9]{1,8}$/;

/**
 * Returns a file name valid on every system: NFC, at most 120 bytes of UTF-8, cut between graphemes before `ending` (by
 * default the extension). Returns `fallback` if nothing is left.
 */
export function cleanFileName(text: string, fallback: string, ending?: string): string {
  const plain = toPlainText(text)
    .replace(FORBIDDEN_CHARACTERS, "_")
    .replace(/\s+/g, " ")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  return shorten(RESERVED_ON_WINDOWS.test(plain) ? `_${plain}` : plain, ending) || fallback;
}

/** Returns one line of NFC without controls and invisible characters, which could disguise it. */
export function toPlainText(text: string): string {
  return (
    text
      .toWellFormed()
      .normalize("NFC")
      // Line breaks in a caption become spaces, so that words stay separate.
      .replace(/[\s\u0085]/g, " ")
      .replace(INVISIBLE_CHARACTERS, "")
  );
}

/**
 * Returns a file's name without its extension. Services allow slashes in names. An extension has a letter, so
 * "Take 3.5" has none.
 */
export function nameWithoutExtension(name: string): string {
  return name.replace(/(?<=.)\.(?=\d*[A-Za-z])[A-Za-z0-9]{1,8}$/s, "");
}

function shorten(name: string, ending: string = EXTENSION.exec(name)?.[0] ?? ""): string {
  if (utf8Bytes([name]) <= MAX_BYTES) return name;
  let room = MAX_BYTES - ending.length;
  let stem = "";
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { segment } of graphemes.segment(name.slice(0, name.length - ending.length))) {
    room -= utf8Bytes([segment]);
    if (room < 0) break;
    stem += segment;
  }
  stem = stem.replace(/[.\s]+$/, "");
  return stem === "" ? "" : stem + ending;
}
