/**
 * The layout of a zip of stored (uncompressed) files follows from known sizes and checksums, so the length is known and
 * downloads can resume anywhere. Zip64 fields appear only where needed. Format: PKWARE APPNOTE 6.3.3, with Info-ZIP's
 * timestamp field.
 */
export type ZipEntry = { name: string; sizeBytes: number; crc32: number };

/** Bytes of the format, or the content of the entry at that index. */
export type ZipPart = { start: number; length: number } & ({ bytes: Uint8Array } | { entry: number });
export type ZipLayout = { parts: ZipPart[]; sizeBytes: number };

const LARGEST_32 = 0xffff_ffff;
const LARGEST_16 = 0xffff;
const PLAIN_VERSION = 20;
const ZIP64_VERSION = 45;
const MADE_BY_UNIX = (3 << 8) | 63;
const NAMES_ARE_UTF8 = 1 << 11;
const PLAIN_FILE_0644 = 0o100644;

/** The same entries and time produce the same bytes. */
export function layOutZip(entries: readonly ZipEntry[], modifiedAt: Date): ZipLayout {
  const parts: ZipPart[] = [];
  const directory: Buffer[] = [];
  let end = 0;
  const add = (length: number, content: { bytes: Uint8Array } | { entry: number }): void => {
    parts.push({ start: end, length, ...content });
    end += length;
  };
  for (const [index, entry] of entries.entries()) {
    directory.push(directoryRecord(entry, end, modifiedAt));
    const header = localHeader(entry, modifiedAt);
    add(header.length, { bytes: header });
    add(entry.sizeBytes, { entry: index });
  }
  const records = Buffer.concat(directory);
  const tail = Buffer.concat([records, directoryEnd(entries.length, end, records.length)]);
  add(tail.length, { bytes: tail });
  return { parts, sizeBytes: end };
}

function localHeader(entry: ZipEntry, modifiedAt: Date): Buffer {
  const name = Buffer.from(entry.name);
  const isLarge = entry.sizeBytes >= LARGEST_32;
  const extra = Buffer.concat([
    timestampField(modifiedAt),
    isLarge ? zip64Field([entry.sizeBytes, entry.sizeBytes]) : Buffer.alloc(0),
  ]);
  const size = isLarge ? LARGEST_32 : entry.sizeBytes;
  return Buffer.concat([
    uint32(0x0403_4b50),
    uint16(isLarge ? ZIP64_VERSION : PLAIN_VERSION, NAMES_ARE_UTF8, 0, ...dosTime(modifiedAt)),
    uint32(entry.crc32, size, size),
    uint16(name.length, extra.length),
    name,
    extra,
  ]);
}

function directoryRecord(entry: ZipEntry, offset: number, modifiedAt: Date): Buffer {
  const name = Buffer.from(entry.name);
  const isLarge = entry.sizeBytes >= LARGEST_32;
  const isFar = offset >= LARGEST_32;
  const large = [...(isLarge ? [entry.sizeBytes, entry.sizeBytes] : []), ...(isFar ? [offset] : [])];
  const extra = Buffer.concat([timestampField(modifiedAt), large.length > 0 ? zip64Field(large) : Buffer.alloc(0)]);
  const size = isLarge ? LARGEST_32 : entry.sizeBytes;
  const version = large.length > 0 ? ZIP64_VERSION : PLAIN_VERSION;
  return Buffer.concat([
    uint32(0x0201_4b50),
    uint16(MADE_BY_UNIX, version, NAMES_ARE_UTF8, 0, ...dosTime(modifiedAt)),
    uint32(entry.crc32, size, size),
    // No comment, first disk, no internal attributes.
    uint16(name.length, extra.length, 0, 0, 0),
    uint32(PLAIN_FILE_0644 * 0x1_0000, isFar ? LARGEST_32 : offset),
    name,
    extra,
  ]);
}

function directoryEnd(count: number, offset: number, length: number): Buffer {
  const needsZip64 = count >= LARGEST_16 || offset >= LARGEST_32 || length >= LARGEST_32;
  const plain = Buffer.concat([
    uint32(0x0605_4b50),
    uint16(0, 0, Math.min(count, LARGEST_16), Math.min(count, LARGEST_16)),
    uint32(Math.min(length, LARGEST_32), Math.min(offset, LARGEST_32)),
    uint16(0),
  ]);
  if (!needsZip64) return plain;
  const zip64 = Buffer.concat([
    uint32(0x0606_4b50),
    // Length of the rest of this record.
    uint64(44),
    uint16(MADE_BY_UNIX, ZIP64_VERSION),
    uint32(0, 0),
    uint64(count, count, length, offset),
  ]);
  const locator = Buffer.concat([uint32(0x0706_4b50, 0), uint64(offset + length), uint32(1)]);
  return Buffer.concat([zip64, locator, plain]);
}

function zip64Field(numbers: number[]): Buffer {
  return Buffer.concat([uint16(0x0001, numbers.length * 8), uint64(...numbers)]);
}

/** Info-ZIP's field: seconds since 1970 in UTC. DOS time has no zone and only even seconds. */
function timestampField(time: Date): Buffer {
  const hasModified = Buffer.from([1]);
  return Buffer.concat([uint16(0x5455, 5), hasModified, uint32(Math.floor(time.getTime() / 1000))]);
}

function dosTime(time: Date): [time: number, date: number] {
  return [
    (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1),
    ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate(),
  ];
}

function uint16(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) buffer.writeUInt16LE(value, i * 2);
  return buffer;
}

function uint32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) buffer.writeUInt32LE(value, i * 4);
  return buffer;
}

function uint64(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 8);
  for (const [i, value] of values.entries()) buffer.writeBigUInt64LE(BigInt(value), i * 8);
  return buffer;
}
