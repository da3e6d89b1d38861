import { type Kysely, type Selectable, sql } from "kysely";
import {
  type Destination,
  type DestinationUser,
  MAX_LISTED_DESTINATION_USERS,
} from "#contract/destinations/destinations.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";

export type DestinationRow = Selectable<Tables["destinations"]>;

export function selectDestinations(db: Kysely<Tables>) {
  return db.selectFrom("destinations").selectAll().orderBy("name").orderBy("id");
}

function toDestination({ settings, ...row }: DestinationRow, users: readonly DestinationUser[]): Destination {
  return {
    ...row,
    posting: null,
    ...settings,
    used_by: users.slice(0, MAX_LISTED_DESTINATION_USERS),
    used_by_total: users.length,
  };
}

export async function listDestinations({ db }: Pick<Context, "db">): Promise<Destination[]> {
  const rows = await selectDestinations(db).execute();
  const users = await findDestinationUsers(db);
  return rows.map((row) => toDestination(row, users.get(row.id) ?? []));
}

export async function readDestination(context: Pick<Context, "db">, id: string): Promise<Destination | null> {
  return (await listDestinations(context)).find((destination) => destination.id === id) ?? null;
}

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
