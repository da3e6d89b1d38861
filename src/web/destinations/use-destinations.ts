import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Destination, DestinationsResponse } from "#contract/destinations/destinations.ts";
import { destinationsKey, listDestinations } from "../api/functions/settings/destinations.ts";

/** Refetches on focus: other tabs and users change destinations too. */
export function useDestinations() {
  return useQuery({
    queryKey: destinationsKey,
    queryFn: ({ signal }) => listDestinations(signal),
    refetchOnWindowFocus: "always",
  });
}

export function useDestinationList() {
  const client = useQueryClient();
  const change = (to: (list: Destination[]) => Destination[]) =>
    client.setQueryData<DestinationsResponse>(destinationsKey, (found) => found && { ...found, data: to(found.data) });
  return {
    put: (saved: Destination) =>
      change((list) => [...list.filter(({ id }) => id !== saved.id), saved].toSorted(byName)),
    drop: (id: string) => change((list) => list.filter((one) => one.id !== id)),
    refetch: () => client.invalidateQueries({ queryKey: destinationsKey }),
  };
}

function byName(a: Destination, b: Destination): number {
  return a.name.localeCompare(b.name);
}
