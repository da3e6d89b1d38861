import { mkdir, readFile } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { open, type Options, type ZipFile } from "yauzl";

const openZip = promisify<string, Options, ZipFile>(open);

/** Checks each CRC32. Returns the paths of the files in the zip's order. */
export async function unzip(file: string, folder: string): Promise<string[]> {
  const zip = await openZip(file, { lazyEntries: true });
  const paths: string[] = [];
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith("/")) continue;
    const target = path.join(folder, entry.fileName);
    await mkdir(path.dirname(target), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target));
    if (crc32(await readFile(target)) !== entry.crc32) throw new Error(`${entry.fileName} is not what its CRC32 says.`);
    paths.push(target);
  }
  return paths;
}

/** Streams a zip of any size and checks each CRC32. Returns the number of entries. */
export async function checkZip(file: string): Promise<number> {
  const zip = await openZip(file, { lazyEntries: true });
  let count = 0;
  for await (const entry of zip.eachEntry()) {
    let checksum = 0;
    for await (const piece of await zip.openReadStreamPromise(entry)) checksum = crc32(piece as Buffer, checksum);
    if (checksum !== entry.crc32) throw new Error(`${entry.fileName} is not what its CRC32 says.`);
    count += 1;
  }
  return count;
}
