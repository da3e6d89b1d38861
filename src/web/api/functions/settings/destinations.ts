/** All calls throw CallError. */
import type {
  Connection,
  ConnectionResponse,
  ConnectionsResponse,
  TestConnectionResponse,
} from "#contract/connections/connections.ts";
import type { FieldValues } from "#contract/connections/kinds/connection-kind.ts";
import type {
  ChannelsResponse,
  Destination,
  DestinationResponse,
  DestinationSettings,
  DestinationsResponse,
  TestDestinationResponse,
} from "#contract/destinations/destinations.ts";
import { callFunction } from "../call-function.ts";

export const destinationsKey = ["destinations"] as const;

export type DestinationDraft = DestinationSettings & Pick<Destination, "kind" | "name" | "connection_id" | "enabled">;

/** Includes the folders that new destinations can use. */
export function listDestinations(signal?: AbortSignal): Promise<DestinationsResponse> {
  return callFunction<DestinationsResponse>("destinations", { action: "list" }, { signal });
}

export const channelsKey = (connectionId: string) => ["destinations", "channels", connectionId] as const;

export async function listChannels(connectionId: string, signal?: AbortSignal): Promise<ChannelsResponse["data"]> {
  const body = { action: "channels", connection_id: connectionId };
  return (await callFunction<ChannelsResponse>("destinations", body, { signal })).data;
}

/** Creates a destination, or updates `opened`, whose version must be current. */
export async function saveDestination(draft: DestinationDraft, opened: Destination | null): Promise<Destination> {
  const to = opened ? { action: "update", id: opened.id, version: opened.version } : { action: "create" };
  return (await callFunction<DestinationResponse>("destinations", { ...to, ...draft })).data;
}

/** Fails without `force` while unfinished jobs or presets use it. */
export async function deleteDestination(id: string, force: boolean): Promise<void> {
  await callFunction("destinations", { action: "delete", id, force });
}

/** Writes and removes a small file. Rejections are results, not errors. */
export function testSavedDestination(id: string): Promise<TestDestinationResponse> {
  return callFunction("destinations", { action: "test", id });
}

export function testDestinationDraft(draft: DestinationDraft): Promise<TestDestinationResponse> {
  return callFunction("destinations", { action: "test", ...draft });
}

// All calls throw CallError.

export const connectionsKey = ["connections"] as const;

/** A secret of "" keeps the saved one. */
export type ConnectionDraft = Pick<Connection, "kind" | "name"> & FieldValues;

export function listConnections(signal?: AbortSignal): Promise<ConnectionsResponse> {
  return callFunction<ConnectionsResponse>("connections", { action: "list" }, { signal });
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
