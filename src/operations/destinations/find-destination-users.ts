import { type Kysely, sql } from "kysely";
import type { DestinationUser } from "#contract/destinations/destinations.ts";
import type { Tables } from "#database/tables.ts";

/** Unfinished jobs, open deliveries and presets by destination id, newest first. */
export async function findDestinationUsers(db: Kysely<Tables>): Promise<Map<string, DestinationUser[]>> {
  const { rows } = await sql<DestinationUser & { destination: string }>`
    select destination, id, name, type from (
      select jsonb_array_elements_text(settings -> 'destinations') as destination, id, job_name as name, 'job' as type,
        created_at from jobs where status not in ('Completed', 'Failed', 'Cancelled') and settings ? 'destinations'
      union
      select destination_id::text, jobs.id, job_name, 'job', jobs.created_at
        from deliveries join jobs on jobs.id = job_id
        where deliveries.status in ('Queued', 'Processing') and destination_id is not null
      union
      select jsonb_array_elements_text(settings -> 'destinations'), id, name, 'preset', created_at
        from presets where settings ? 'destinations'
    ) as users order by created_at desc, id`.execute(db);
  const users = new Map<string, DestinationUser[]>();
  for (const { destination, ...user } of rows) users.set(destination, [...(users.get(destination) ?? []), user]);
  return users;
}
