import type { Connection } from "#contract/connections/connections.ts";
import type { Context } from "../context.ts";
import { findUsers } from "./find-users.ts";
import { selectConnections, toConnection } from "./select-connections.ts";

export async function listConnections(context: Pick<Context, "db" | "secrets">): Promise<Connection[]> {
  const rows = await selectConnections(context.db).execute();
  const users = await findUsers(context.db, rows);
  return rows.map((row) => toConnection(context, row, users.get(row.id) ?? []));
}

export async function readConnection(context: Pick<Context, "db" | "secrets">, id: string): Promise<Connection | null> {
  return (await listConnections(context)).find((connection) => connection.id === id) ?? null;
}
