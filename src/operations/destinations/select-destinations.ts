import type { Kysely, Selectable } from "kysely";
import {
  type Destination,
  type DestinationUser,
  MAX_LISTED_DESTINATION_USERS,
} from "#contract/destinations/destinations.ts";
import type { Tables } from "#database/tables.ts";

export type DestinationRow = Selectable<Tables["destinations"]>;

export function selectDestinations(db: Kysely<Tables>) {
  return db.selectFrom("destinations").selectAll().orderBy("name").orderBy("id");
}

export function toDestination({ settings, ...row }: DestinationRow, users: readonly DestinationUser[]): Destination {
  return {
    ...row,
    posting: null,
    ...settings,
    used_by: users.slice(0, MAX_LISTED_DESTINATION_USERS),
    used_by_total: users.length,
  };
}
