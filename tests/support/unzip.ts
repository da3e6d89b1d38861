import { readFile } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { open, type Options, type ZipFile } from "yauzl";

const openZip = promisify<string, Options, ZipFile>(open);

/** Unpacks a zip of plain files into `folder`, checking each entry's CRC32. Returns their paths in the zip's order. */
export async function unzip(file: string, folder: string): Promise<string[]> {
  const zip = await openZip(file, { lazyEntries: true });
  const paths: string[] = [];
  for await (const entry of zip.eachEntry()) {
    const target = path.join(folder, entry.fileName);
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target));
    if (crc32(await readFile(target)) !== entry.crc32) throw new Error(`${entry.fileName} is not what its CRC32 says.`);
    paths.push(target);
  }
  return paths;
}
