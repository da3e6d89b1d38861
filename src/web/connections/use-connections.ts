import type { Connection } from "#contract/connections/connections.ts";
import { connectionsKey, listConnections } from "../api/functions/settings/destinations.ts";
import { useSavedItems, useSavedList } from "../editors/saved-items.ts";

export function useConnections() {
  return useSavedItems(connectionsKey, listConnections);
}

export function useConnectionList() {
  return useSavedList<Connection>(connectionsKey);
}
