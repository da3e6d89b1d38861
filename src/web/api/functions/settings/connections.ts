/** All calls throw CallError. */
import type {
  Connection,
  ConnectionResponse,
  ConnectionsResponse,
  TestConnectionResponse,
} from "#contract/connections/connections.ts";
import type { FieldValues } from "#contract/connections/kinds/connection-kind.ts";
import { callFunction } from "../call-function.ts";

export const connectionsKey = ["connections"] as const;

/** A secret of "" keeps the saved one. */
export type ConnectionDraft = Pick<Connection, "kind" | "name"> & FieldValues;

export async function listConnections(signal?: AbortSignal): Promise<Connection[]> {
  return (await callFunction<ConnectionsResponse>("connections", { action: "list" }, { signal })).data;
}

/** Creates a connection, or updates `opened`, whose version must be current. */
export async function saveConnection(draft: ConnectionDraft, opened: Connection | null): Promise<Connection> {
  const to = opened ? { action: "update", id: opened.id, version: opened.version } : { action: "create" };
  return (await callFunction<ConnectionResponse>("connections", { ...to, ...draft })).data;
}

/** Fails without `force` while unfinished jobs need it. */
export async function deleteConnection(id: string, force: boolean): Promise<void> {
  await callFunction("connections", { action: "delete", id, force });
}

/** Rejections by the store are results, not errors. */
export function testSavedConnection(id: string): Promise<TestConnectionResponse> {
  return callFunction("connections", { action: "test", id });
}

/** Uses the secret of the saved connection `id` for "". */
export function testConnectionDraft(draft: ConnectionDraft, id: string | null): Promise<TestConnectionResponse> {
  return callFunction("connections", { action: "test", ...draft, id });
}
