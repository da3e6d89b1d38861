/** A finished output, a thumbnail or a library file. */
import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";

export type NamedFile = {
  key: string;
  /** Null if not recorded. */
  sizeBytes: number | null;
  crc32: number | null;
};

const KEPT_FILES = sql`
  union select storage_key, size_bytes::float8, crc32::float8 from job_kept_files
  union select thumbnail_key, null, null from job_kept_files`;

/** Lists shared files once. Older schemas lack only the kept files. */
export async function listNamedFiles(trx: Transaction<Tables>): Promise<NamedFile[]> {
  const found = await sql<{ table: string | null }>`select to_regclass('job_kept_files') as table`.execute(trx);
  const keptFiles = found.rows[0]!.table === null ? sql`` : KEPT_FILES;
  const { rows } = await sql<NamedFile>`
    select storage_key as key, size_bytes::float8 as "sizeBytes", crc32::float8 as crc32
      from job_outputs where storage_key is not null
    union select thumbnail_key, null, null from job_outputs where thumbnail_key is not null
    ${keptFiles}
    union select storage_key, nullif(size_bytes, 0)::float8, null from library_files`.execute(trx);
  return rows;
}
