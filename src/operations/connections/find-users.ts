import { type Kysely, sql } from "kysely";
import { connectionForBucket } from "#contract/connections/choose-connection.ts";
import type { ConnectionUser } from "#contract/connections/connections.ts";
import type { Tables } from "#database/tables.ts";
import type { ConnectionRow } from "./select-connections.ts";

/** Returns the unfinished jobs that need each connection, by its id, newest first. */
export async function findUsers(
  db: Kysely<Tables>,
  connections: readonly ConnectionRow[],
): Promise<Map<string, ConnectionUser[]>> {
  const users = new Map<string, ConnectionUser[]>();
  if (connections.length === 0) return users;
  const candidates = connections.map(({ id, settings: { buckets } }) => ({ id, buckets }));
  for (const { id, name, buckets } of await listJobsWithBuckets(db)) {
    const needed = new Set(buckets.map((bucket) => connectionForBucket(bucket, candidates)?.id));
    for (const connection of needed) {
      if (connection !== undefined) users.set(connection, [...(users.get(connection) ?? []), { id, name }]);
    }
  }
  return users;
}

async function listJobsWithBuckets(db: Kysely<Tables>): Promise<(ConnectionUser & { buckets: string[] })[]> {
  const { rows } = await sql<ConnectionUser & { buckets: string[] }>`
    select jobs.id, jobs.job_name as name, array_agg(distinct split_part(btrim(link), '/', 3)) as buckets
    from jobs, unnest(input_videos || custom_audio_links || array(
      select jsonb_array_elements_text(row_settings -> 'custom_audio_links')
      from job_videos where job_videos.job_id = jobs.id and row_settings ? 'custom_audio_links'
    )) as link
    where status in ('Queued', 'Processing', 'Cancelling') and btrim(link) ilike 's3://%'
    group by jobs.id order by jobs.created_at desc, jobs.id`.execute(db);
  return rows;
}
