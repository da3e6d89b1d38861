import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { LibraryFile, LibraryResponse } from "#contract/calls.ts";
import { listLibrary } from "../api/jobs.ts";
import { libraryIdOf, nameSource } from "./named-sources.ts";

export const libraryKey = ["library"] as const;

/** URLs are signed for a day; stale data is refetched well before that. */
export const libraryQuery = { queryKey: libraryKey, queryFn: listLibrary } as const;

/** Returns undefined while loading or not `isNeeded`. Refetches when `links` contain an unknown file. */
export function useLibrary(links: readonly string[] = [], isNeeded = true): LibraryFile[] | undefined {
  const { data, refetch } = useQuery({ ...libraryQuery, enabled: isNeeded });
  const known = new Set(data?.data.map(({ id }) => id));
  const unknown = links.map(libraryIdOf).filter((id) => id !== null && !known.has(id));
  const missingIds = data === undefined ? "" : unknown.join(" ");
  useEffect(() => {
    if (missingIds !== "") void refetch();
  }, [missingIds, refetch]);
  return data?.data;
}

/** `name` is known once the video was fetched; without it, an outside link stands for itself. */
export function useSource(link: string, name: string | null): { name: string; file: LibraryFile | null } {
  const id = libraryIdOf(link);
  const { data } = useQuery({
    ...libraryQuery,
    enabled: id !== null,
    staleTime: Infinity,
    // Other files' changes must not rerender its row.
    select: (library: LibraryResponse) => library.data.filter((file) => file.id === id),
  });
  return { name: name ?? (id === null ? link : nameSource(link, data)), file: data?.[0] ?? null };
}
