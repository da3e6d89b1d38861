import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Connection } from "#contract/connections/connections.ts";
import { connectionsKey, listConnections } from "../api/functions/settings/destinations.ts";

/** Refetches on focus: other tabs and users change connections too. */
export function useConnections() {
  return useQuery({
    queryKey: connectionsKey,
    queryFn: ({ signal }) => listConnections(signal),
    refetchOnWindowFocus: "always",
  });
}

export function useConnectionList() {
  const client = useQueryClient();
  const change = (to: (list: Connection[]) => Connection[]) =>
    client.setQueryData<Connection[]>(connectionsKey, (list) => list && to(list));
  return {
    put: (saved: Connection) =>
      change((list) =>
        list.some(({ id }) => id === saved.id)
          ? list.map((one) => (one.id === saved.id ? saved : one))
          : [...list, saved],
      ),
    drop: (id: string) => change((list) => list.filter((one) => one.id !== id)),
    refetch: () => client.invalidateQueries({ queryKey: connectionsKey }),
  };
}
