/** Reads and rewrites a font's character map (table "cmap", OpenType specification). */
import { closeSync, openSync, readSync } from "node:fs";

type CharacterRange = { first: number; last: number; firstGlyph: number };

type Table = { entryOffset: number; offset: number; length: number };

const TABLE_COUNT_OFFSET = 4;
const TABLES_OFFSET = 12;
const TABLE_ENTRY_BYTES = 16;
const RANGE_BYTES = 12;

/** Returns a check by code point. Reads only the character map. Throws if it is unreadable. */
export function readCoverage(fontPath: string): (codePoint: number) => boolean {
  const file = openSync(fontPath, "r");
  try {
    const read = (offset: number, length: number) => {
      const bytes = Buffer.alloc(length);
      readSync(file, bytes, 0, length, offset);
      return bytes;
    };
    const head = read(0, TABLES_OFFSET);
    const tables = read(0, TABLES_OFFSET + head.readUInt16BE(TABLE_COUNT_OFFSET) * TABLE_ENTRY_BYTES);
    const { offset, length } = findMap(tables);
    const ranges = readRanges(read(offset, length));
    return (codePoint) => isInRanges(ranges, codePoint);
  } finally {
    closeSync(file);
  }
}

/** Returns a copy of the font without some characters, so that the next font draws them. */
export function removeCharacters(font: Buffer, isLeftOut: (codePoint: number) => boolean): Buffer {
  const { entryOffset, offset, length } = findMap(font);
  const kept: CharacterRange[] = [];
  for (const { first, last, firstGlyph } of readRanges(font.subarray(offset, offset + length))) {
    for (let character = first; character <= last; character++) {
      if (isLeftOut(character)) continue;
      const glyph = firstGlyph + character - first;
      const before = kept.at(-1);
      if (before && before.last === character - 1 && before.firstGlyph + character - before.first === glyph) {
        before.last = character;
      } else {
        kept.push({ first: character, last: character, firstGlyph: glyph });
      }
    }
  }
  const map = writeMap(kept);
  const start = font.length + ((4 - (font.length % 4)) % 4);
  const result = Buffer.alloc(start + map.length);
  font.copy(result);
  map.copy(result, start);
  result.writeUInt32BE(start, entryOffset + 8);
  result.writeUInt32BE(map.length, entryOffset + 12);
  return result;
}

function findMap(font: Buffer): Table {
  for (let i = 0; i < font.readUInt16BE(TABLE_COUNT_OFFSET); i++) {
    const entryOffset = TABLES_OFFSET + i * TABLE_ENTRY_BYTES;
    if (font.toString("latin1", entryOffset, entryOffset + 4) === "cmap") {
      return { entryOffset, offset: font.readUInt32BE(entryOffset + 8), length: font.readUInt32BE(entryOffset + 12) };
    }
  }
  throw new Error("The font has no character map.");
}

/** Reads the most complete table, in order. Throws if no format is supported. */
function readRanges(map: Buffer): CharacterRange[] {
  const offsets = Array.from({ length: map.readUInt16BE(2) }, (_, i) => map.readUInt32BE(4 + i * 8 + 4));
  const whole = offsets.find((offset) => map.readUInt16BE(offset) === 12);
  if (whole !== undefined) return readFormat12(map.subarray(whole));
  const basic = offsets.find((offset) => map.readUInt16BE(offset) === 4);
  if (basic !== undefined) return readFormat4(map.subarray(basic));
  throw new Error("The font's character map has an unsupported format.");
}

function readFormat12(table: Buffer): CharacterRange[] {
  return Array.from({ length: table.readUInt32BE(12) }, (_, i) => {
    const at = 16 + i * RANGE_BYTES;
    return {
      first: table.readUInt32BE(at),
      last: table.readUInt32BE(at + 4),
      firstGlyph: table.readUInt32BE(at + 8),
    };
  });
}

/** One range per character: in this format, glyphs need not be consecutive. */
function readFormat4(table: Buffer): CharacterRange[] {
  const segmentBytes = table.readUInt16BE(6);
  const [ends, starts] = [14, 16 + segmentBytes];
  const [deltas, offsets] = [starts + segmentBytes, starts + 2 * segmentBytes];
  const ranges: CharacterRange[] = [];
  for (let i = 0; i < segmentBytes; i += 2) {
    const start = table.readUInt16BE(starts + i);
    const offset = table.readUInt16BE(offsets + i);
    for (let character = start; character <= table.readUInt16BE(ends + i) && character < 0xff_ff; character++) {
      const listed = offset === 0 ? character : table.readUInt16BE(offsets + i + offset + 2 * (character - start));
      const glyph = listed === 0 ? 0 : (listed + table.readUInt16BE(deltas + i)) % 0x1_00_00;
      if (glyph !== 0) ranges.push({ first: character, last: character, firstGlyph: glyph });
    }
  }
  return ranges;
}

function writeMap(ranges: CharacterRange[]): Buffer {
  const headBytes = 12;
  const tableBytes = 16 + ranges.length * RANGE_BYTES;
  const map = Buffer.alloc(headBytes + tableBytes);
  map.writeUInt16BE(1, 2);
  // Platform 3, encoding 10: all of Unicode.
  map.writeUInt16BE(3, 4);
  map.writeUInt16BE(10, 6);
  map.writeUInt32BE(headBytes, 8);
  map.writeUInt16BE(12, headBytes);
  map.writeUInt32BE(tableBytes, headBytes + 4);
  map.writeUInt32BE(ranges.length, headBytes + 12);
  ranges.forEach(({ first, last, firstGlyph }, i) => {
    const at = headBytes + 16 + i * RANGE_BYTES;
    map.writeUInt32BE(first, at);
    map.writeUInt32BE(last, at + 4);
    map.writeUInt32BE(firstGlyph, at + 8);
  });
  return map;
}

function isInRanges(ranges: CharacterRange[], codePoint: number): boolean {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const { first, last } = ranges[middle]!;
    if (codePoint < first) high = middle - 1;
    else if (codePoint > last) low = middle + 1;
    else return true;
  }
  return false;
}
