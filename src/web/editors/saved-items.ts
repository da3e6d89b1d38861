import { type QueryKey, useQuery, useQueryClient } from "@tanstack/react-query";

/** A connection or a destination. */
export type SavedItem = { id: string; name: string; version: number; used_by_total: number };

export type SavedNoun = "connection" | "destination";

/** Refetches on focus: other tabs and users change the items too. */
export function useSavedItems<Response>(queryKey: QueryKey, load: (signal: AbortSignal) => Promise<Response>) {
  return useQuery({ queryKey, queryFn: ({ signal }) => load(signal), refetchOnWindowFocus: "always" });
}

export type SavedList<Item> = {
  put: (saved: Item) => void;
  drop: (id: string) => void;
  refetch: () => Promise<void>;
};

/** Changes the cached list without a request. */
export function useSavedList<Item extends SavedItem>(queryKey: QueryKey): SavedList<Item> {
  const client = useQueryClient();
  const change = (to: (items: Item[]) => Item[]): void => {
    client.setQueryData<{ data: Item[] }>(queryKey, (found) => found && { ...found, data: to(found.data) });
  };
  return {
    put: (saved) => change((items) => [...items.filter(({ id }) => id !== saved.id), saved].toSorted(byName)),
    drop: (id) => change((items) => items.filter((one) => one.id !== id)),
    refetch: () => client.invalidateQueries({ queryKey }),
  };
}

function byName(a: SavedItem, b: SavedItem): number {
  return a.name.localeCompare(b.name);
}
