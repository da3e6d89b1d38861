/** Files dropped by a change are reused where their content fits. */
import { sql, type Transaction } from "kysely";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { COVER_KEY } from "../job-folders.ts";
import type { StoredOutput } from "../videos/complete-output.ts";

/** Keeps the files of all outputs, and deletes the outputs. Requires the job's lock. */
export async function keepFiles(trx: Transaction<Tables>, jobId: string): Promise<void> {
  await sql`
    insert into job_kept_files (job_id, content_key, storage_key, thumbnail_key, cover, duration_seconds, width, height,
      size_bytes, crc32, sha256, conformance, warnings)
    select distinct on (content_key) job_id, content_key, storage_key, thumbnail_key, cover, duration_seconds, width, height,
      size_bytes, crc32, sha256, conformance, warnings
    from job_outputs where job_id = ${jobId} and status = 'Completed' and storage_key is not null and content_key is not null
    on conflict (job_id, content_key) do nothing`.execute(trx);
  await trx.deleteFrom("job_outputs").where("job_id", "=", jobId).execute();
}

export async function findKeptFile(
  { db }: Pick<Context, "db">,
  jobId: string,
  contentKey: string,
): Promise<(StoredOutput & { warnings: Warning[] }) | null> {
  const { rows } = await sql<StoredOutput & { warnings: Warning[] }>`
    select storage_key as "storageKey", thumbnail_key as "thumbnailKey", cover, duration_seconds as "durationSeconds",
      width, height, size_bytes::float8 as "sizeBytes", crc32::float8 as crc32, sha256, conformance, warnings
    from job_kept_files where job_id = ${jobId} and content_key = ${contentKey}`.execute(db);
  return rows[0] ?? null;
}

/** Schedules the deletion of files that no output uses. */
export async function deleteKeptFiles(trx: Transaction<Tables>, jobId: string): Promise<void> {
  await sql`
    with kept as (
      delete from job_kept_files where job_id = ${jobId} returning storage_key, thumbnail_key, cover
    ), files as (
      select storage_key as key from kept union select thumbnail_key from kept
      union select ${COVER_KEY} from kept where cover is not null
    )
    insert into pending_file_deletions (prefix)
    select key from files where not exists (
      select from job_outputs where job_id = ${jobId} and (storage_key = key or thumbnail_key = key or ${COVER_KEY} = key)
    ) on conflict do nothing`.execute(trx);
}
