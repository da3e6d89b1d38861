import type { Destination } from "#contract/destinations/destinations.ts";
import { destinationsKey, listDestinations } from "../api/functions/settings/destinations.ts";
import { useSavedItems, useSavedList } from "../editors/saved-items.ts";

export function useDestinations() {
  return useSavedItems(destinationsKey, listDestinations);
}

export function useDestinationList() {
  return useSavedList<Destination>(destinationsKey);
}
