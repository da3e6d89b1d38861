import { createWriteStream } from "node:fs";
import { link, mkdir, realpath, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { type Checked, checkFile, createChecker, metering } from "#ground/checksum.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import type { Storage } from "#storage/storage.ts";
import { COVER_KEY } from "../../jobs/job-folders.ts";

export const FILES_FOLDER = "files";
const MAX_CONCURRENT = 4;

export type KeptFile = Checked & { key: string };

export type CopiedFiles = {
  files: KeptFile[];
  totalBytes: number;
  /** Hard links among `files`. */
  linked: number;
  /** Named by the database, but not in storage. */
  missing: number;
  /** Keys of files that differ from their record; copied as they are. */
  damaged: string[];
};

export type FileSource = {
  storage: Storage;
  /** A folder's files never change in place, so hard links preserve them. */
  isFolder: boolean;
};

/** Hard-links on the same disk, else copies. Files deleted since count as missing. */
export async function copyFiles(
  source: FileSource,
  named: NamedFile[],
  folder: string,
  signal?: AbortSignal,
): Promise<CopiedFiles> {
  const copied: CopiedFiles = { files: [], totalBytes: 0, linked: 0, missing: 0, damaged: [] };
  await forEachAtOnce(named, MAX_CONCURRENT, async (file) => {
    signal?.throwIfAborted();
    const target = path.join(folder, FILES_FOLDER, ...file.key.split("/"));
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    try {
      const isLinked = source.isFolder && (await tryToLink(await source.storage.toLocalFile(file.key), target));
      const stored = isLinked
        ? await describeLinked(target, file)
        : await writeMeasured(await source.storage.read(file.key), target, signal);
      copied.files.push({ key: file.key, ...stored });
      copied.totalBytes += stored.sizeBytes;
      if (isLinked) copied.linked += 1;
      const isRight = (file.sizeBytes ?? stored.sizeBytes) === stored.sizeBytes;
      if (!isRight || (file.crc32 ?? stored.crc32) !== stored.crc32) copied.damaged.push(file.key);
    } catch (error) {
      if (!(error instanceof ClipmillError) || error.code !== "not_found") throw error;
      // Removes a partial copy.
      await rm(target, { force: true });
      copied.missing += 1;
    }
  });
  return copied;
}

async function tryToLink(from: string, target: string): Promise<boolean> {
  try {
    // Links a symbolic link's target: the link would break with the original.
    await link(await realpath(from), target);
    return true;
  } catch {
    return false;
  }
}

async function describeLinked(target: string, { sizeBytes, crc32: checksum }: NamedFile): Promise<Checked> {
  if (checksum !== null && (await stat(target)).size === sizeBytes) return { sizeBytes, crc32: checksum };
  return await checkFile(target);
}

async function writeMeasured(source: Readable, target: string, signal: AbortSignal | undefined): Promise<Checked> {
  const checker = createChecker();
  // Never overwrites: the file may be a hard link to a stored one.
  await pipeline(
    source,
    (pieces: AsyncIterable<Buffer>): AsyncIterable<Uint8Array> => metering(pieces, checker),
    createWriteStream(target, { mode: 0o600, flags: "wx" }),
    { signal },
  );
  return checker.read();
}

// A finished output, its cover, a thumbnail or a library file.

export type NamedFile = {
  key: string;
  /** Null if not recorded. */
  sizeBytes: number | null;
  crc32: number | null;
};

const KEPT_FILES = sql`
  union select storage_key, size_bytes::float8, crc32::float8 from job_kept_files
  union select thumbnail_key, null, null from job_kept_files`;

const [OUTPUT_COVERS, KEPT_COVERS] = ["job_outputs", "job_kept_files"].map(
  (table) => sql`
  union select ${COVER_KEY}, (cover->>'sizeBytes')::float8, (cover->>'crc32')::float8
    from ${sql.table(table)} where storage_key is not null and cover is not null`,
);

/** Lists shared files once. Older schemas lack only the kept files and the covers. */
export async function listNamedFiles(trx: Transaction<Tables>): Promise<NamedFile[]> {
  const { rows: found } = await sql<{ keepsFiles: boolean; hasCovers: boolean }>`
    select to_regclass('job_kept_files') is not null as "keepsFiles", exists (
      select from pg_attribute where attrelid = to_regclass('job_kept_files') and attname = 'cover' and not attisdropped
    ) as "hasCovers"`.execute(trx);
  const { keepsFiles, hasCovers } = found[0]!;
  const keptFiles = keepsFiles ? KEPT_FILES : sql``;
  const covers = hasCovers ? sql`${OUTPUT_COVERS} ${KEPT_COVERS}` : sql``;
  const { rows } = await sql<NamedFile>`
    select storage_key as key, size_bytes::float8 as "sizeBytes", crc32::float8 as crc32
      from job_outputs where storage_key is not null
    union select thumbnail_key, null, null from job_outputs where thumbnail_key is not null
    ${keptFiles} ${covers}
    union select storage_key, nullif(size_bytes, 0)::float8, null from library_files`.execute(trx);
  return rows;
}
