import type { Destination } from "#contract/destinations/destinations.ts";
import type { Context } from "../context.ts";
import { findDestinationUsers } from "./find-destination-users.ts";
import { selectDestinations, toDestination } from "./select-destinations.ts";

export async function listDestinations({ db }: Pick<Context, "db">): Promise<Destination[]> {
  const rows = await selectDestinations(db).execute();
  const users = await findDestinationUsers(db);
  return rows.map((row) => toDestination(row, users.get(row.id) ?? []));
}

export async function readDestination(context: Pick<Context, "db">, id: string): Promise<Destination | null> {
  return (await listDestinations(context)).find((destination) => destination.id === id) ?? null;
}
