/** All calls throw CallError. */
import type {
  Destination,
  DestinationResponse,
  DestinationSettings,
  DestinationsResponse,
  TestDestinationResponse,
} from "#contract/destinations/destinations.ts";
import type { ChannelsResponse } from "#contract/destinations/posting.ts";
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
