/** Files in storage that the database names: finished outputs, thumbnails, and the library. */
import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";

export type NamedFile = {
  key: string;
  /** As recorded, if at all. */
  sizeBytes: number | null;
  crc32: number | null;
};

/** Lists each file once, even if outputs share it. Every schema version has these columns. */
export async function listNamedFiles(trx: Transaction<Tables>): Promise<NamedFile[]> {
  const { rows } = await sql<NamedFile>`
    select storage_key as key, size_bytes::float8 as "sizeBytes", crc32::float8 as crc32
      from job_outputs where storage_key is not null
    union select thumbnail_key, null, null from job_outputs where thumbnail_key is not null
    union select storage_key, nullif(size_bytes, 0)::float8, null from library_files`.execute(trx);
  return rows;
}
