/** Files of outputs that a change of the job has dropped. They are used again where their content fits. */
import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";

/** Keeps the files of all outputs of a locked job, and deletes the outputs. */
export async function keepFiles(trx: Transaction<Tables>, jobId: string): Promise<void> {
  await sql`
    insert into job_kept_files (job_id, content_key, storage_key, thumbnail_key, duration_seconds, width, height,
      size_bytes, crc32, conformance, warnings)
    select distinct on (content_key) job_id, content_key, storage_key, thumbnail_key, duration_seconds, width, height,
      size_bytes, crc32, conformance, warnings
    from job_outputs where job_id = ${jobId} and status = 'Completed' and storage_key is not null and content_key is not null
    on conflict (job_id, content_key) do nothing`.execute(trx);
  await trx.deleteFrom("job_outputs").where("job_id", "=", jobId).execute();
}

/** Forgets the kept files of a job that ends, and schedules the deletion of those that no output uses. */
export async function deleteKeptFiles(trx: Transaction<Tables>, jobId: string): Promise<void> {
  await sql`
    with kept as (
      delete from job_kept_files where job_id = ${jobId} returning storage_key, thumbnail_key
    ), files as (
      select storage_key as key from kept union select thumbnail_key from kept
    )
    insert into doomed_files (prefix)
    select key from files where not exists (
      select from job_outputs where job_id = ${jobId} and (storage_key = key or thumbnail_key = key)
    ) on conflict do nothing`.execute(trx);
}
