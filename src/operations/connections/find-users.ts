import type { Kysely } from "kysely";
import { connectionForBucket } from "#contract/connections/choose-connection.ts";
import type { ConnectionKind, ConnectionUser } from "#contract/connections/connections.ts";
import { KIND_NAMES } from "#contract/connections/kinds/connection-kinds.ts";
import type { Tables } from "#database/tables.ts";
import { operationsOf } from "./kinds/connection-operations.ts";
import { type ConnectionRow, rowsOfKind } from "./select-connections.ts";

type Users = Map<string, ConnectionUser[]>;
type FindUsers = (db: Kysely<Tables>, connections: readonly ConnectionRow[]) => Promise<Users>;

const FINDERS: readonly FindUsers[] = [
  ...KIND_NAMES.map((kind) => findJobsOf(kind)),
  findDestinations,
  findWatchFolders,
];

/** By connection id. */
export async function findUsers(db: Kysely<Tables>, connections: readonly ConnectionRow[]): Promise<Users> {
  const users: Users = new Map();
  if (connections.length === 0) return users;
  for (const find of FINDERS) {
    for (const [id, found] of await find(db, connections)) users.set(id, [...(users.get(id) ?? []), ...found]);
  }
  return users;
}

function findJobsOf(kind: ConnectionKind): FindUsers {
  return async (db, connections) => {
    const rows = rowsOfKind(connections, kind);
    return (rows.length > 0 && (await operationsOf(kind).findJobs?.(db, rows))) || new Map();
  };
}

async function findDestinations(db: Kysely<Tables>): Promise<Users> {
  const rows = await db
    .selectFrom("destinations")
    .select(["id", "name", "connection_id"])
    .where("connection_id", "is not", null)
    .orderBy("name")
    .execute();
  const byConnection = Map.groupBy(rows, (row) => row.connection_id!);
  return new Map(
    [...byConnection].map(([id, users]) => [
      id,
      users.map((user) => ({ id: user.id, name: user.name, type: "destination" })),
    ]),
  );
}

async function findWatchFolders(db: Kysely<Tables>, connections: readonly ConnectionRow[]): Promise<Users> {
  const rows = await db
    .selectFrom("watch_folders")
    .select(["id", "name", "kind", "place", "connection_id"])
    .orderBy("name")
    .execute();
  const buckets = rowsOfKind(connections, "s3").map(({ id, settings }) => ({ id, buckets: settings.buckets }));
  const users: Users = new Map();
  for (const { id, name, kind, place, connection_id: saved } of rows) {
    const bucket = kind === "s3" ? (place.split("/")[2] ?? "") : null;
    const connection = bucket === null ? saved : (connectionForBucket(bucket, buckets)?.id ?? null);
    if (connection === null) continue;
    users.set(connection, [...(users.get(connection) ?? []), { id, name, type: "watch_folder" }]);
  }
  return users;
}
