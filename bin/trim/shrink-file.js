/** Removes unused parts of files, by replacing each with a smaller copy, because it may be in use. */
import { closeSync, copyFileSync, ftruncateSync, openSync, readFileSync, readSync, renameSync } from "node:fs";
import { rmSync, statSync, writeSync } from "node:fs";

const TABLES_OFFSET = 12;
const TABLE_ENTRY_BYTES = 16;

/**
 * Cuts debug information and symbols from a 64-bit little-endian ELF program: everything after its segments (program
 * header table, ELF specification).
 */
export function removeSymbols(program) {
  const file = openSync(program, "r");
  const head = Buffer.alloc(64);
  let end = 0;
  try {
    readSync(file, head, 0, head.length, 0);
    const isElf64 = head.toString("latin1", 0, 6) === "\x7fELF\x02\x01";
    if (!isElf64 || head.readBigUInt64LE(40) === 0n) return;
    const [start, bytes, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
    const segments = Buffer.alloc(bytes * count);
    readSync(file, segments, 0, segments.length, start);
    for (let i = 0; i < segments.length; i += bytes) {
      end = Math.max(end, Number(segments.readBigUInt64LE(i + 8) + segments.readBigUInt64LE(i + 32)));
    }
  } finally {
    closeSync(file);
  }
  if (end === 0 || end > statSync(program).size) return;
  replace(program, (copy) => {
    ftruncateSync(copy, end);
    // The section table was behind the segments.
    head.writeBigUInt64LE(0n, 40);
    head.writeUInt16LE(0, 60);
    head.writeUInt16LE(0, 62);
    writeSync(copy, head, 0, head.length, 0);
  });
}

/**
 * Removes the SVG pictures, four fifths of the file, from a font that also has them as COLR, which Skia draws (OpenType
 * specification). No reader here verifies font checksums.
 */
export function removeSvg(path) {
  const font = readFileSync(path);
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, i) =>
    Buffer.from(font.subarray(TABLES_OFFSET + i * TABLE_ENTRY_BYTES, TABLES_OFFSET + (i + 1) * TABLE_ENTRY_BYTES)),
  );
  const names = entries.map((entry) => entry.toString("latin1", 0, 4));
  if (!names.includes("SVG ") || !names.includes("COLR")) return;
  const kept = entries.filter((_, i) => names[i] !== "SVG ");
  const head = Buffer.from(font.subarray(0, TABLES_OFFSET));
  const power = Math.floor(Math.log2(kept.length));
  head.writeUInt16BE(kept.length, 4);
  head.writeUInt16BE(2 ** power * TABLE_ENTRY_BYTES, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE((kept.length - 2 ** power) * TABLE_ENTRY_BYTES, 10);
  let offset = TABLES_OFFSET + kept.length * TABLE_ENTRY_BYTES;
  const tables = kept.map((entry) => {
    const [start, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)];
    const table = Buffer.alloc(Math.ceil(length / 4) * 4);
    font.copy(table, 0, start, start + length);
    entry.writeUInt32BE(offset, 8);
    offset += table.length;
    return table;
  });
  replace(path, (copy) => {
    ftruncateSync(copy, 0);
    writeSync(copy, Buffer.concat([head, ...kept, ...tables]));
  });
}

/**
 * Replaces ICU's languages by holes. PostgreSQL requires this library; initdb needs the sort order that all languages
 * share; tests sort without ICU. (Table of contents: ICU's `udata.h` and `ucmndata.h`.)
 */
export function removeLanguages(library) {
  const { size, blocks } = statSync(library);
  if (blocks * 512 < size / 2) return;
  const data = readFileSync(library);
  const start = data.indexOf("CmnD") - 12;
  if (start < 0) return;
  const contents = start + data.readUInt16LE(start);
  const items = Array.from({ length: data.readUInt32LE(contents) }, (_, i) => {
    const name = contents + data.readUInt32LE(contents + 4 + i * 8);
    const offset = contents + data.readUInt32LE(contents + 8 + i * 8);
    return { name: data.toString("latin1", name, data.indexOf(0, name)), offset };
  });
  const ends = [...items.slice(1).map(({ offset }) => offset), size];
  replace(library, (copy) => {
    ftruncateSync(copy, items[0].offset);
    ftruncateSync(copy, size);
    items.forEach(({ name, offset }, i) => {
      // The last item, because the rest of the library follows it.
      const isKept = /\/coll\/(?:root\.res|ucadata\.icu)$/.test(name) || i === items.length - 1;
      if (isKept) writeSync(copy, data, offset, ends[i] - offset, offset);
    });
  });
}

function replace(path, change) {
  const copy = `${path}.trimmed`;
  try {
    copyFileSync(path, copy);
    const file = openSync(copy, "r+");
    try {
      change(file);
    } finally {
      closeSync(file);
    }
    renameSync(copy, path);
  } finally {
    rmSync(copy, { force: true });
  }
}
