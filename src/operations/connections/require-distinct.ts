import type { Kysely } from "kysely";
import { CONNECTION_LIMITS, type ConnectionKind, type SettingsOf } from "#contract/connections/connections.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { operationsOf } from "./kinds/connection-operations.ts";
import { rowsOfKind, selectConnections } from "./select-connections.ts";

type Candidate = { id: string | null; kind: ConnectionKind; name: string; settings: SettingsOf[ConnectionKind] };

/** `id` is null for a new connection. Throws ClipmillError "conflict" (name or bucket in use, or the limit). */
export async function requireDistinct(db: Kysely<Tables>, { id, kind, name, settings }: Candidate): Promise<void> {
  const others = (await selectConnections(db).execute()).filter((row) => row.id !== id);
  if (id === null && others.length >= CONNECTION_LIMITS.connections) {
    throw new ClipmillError("conflict", "There can be at most 100 connections. Remove one first.");
  }
  const key = name.toLowerCase();
  if (others.some((row) => row.name.toLowerCase() === key)) {
    throw new ClipmillError("conflict", `There is already a connection named "${name}". Choose another name.`);
  }
  operationsOf<ConnectionKind>(kind).requireDistinct?.(rowsOfKind(others, kind), settings);
}
