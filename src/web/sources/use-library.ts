import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { LibraryFile, LibraryResponse } from "#contract/calls.ts";
import { listLibrary } from "../api/jobs.ts";
import { libraryIdOf, nameSource } from "./name-source.ts";

/** Where the library is kept in the cache. */
export const libraryKey = ["library"] as const;

/** Addresses in it are signed for a day; what was read long ago is read again well before. */
export const libraryQuery = { queryKey: libraryKey, queryFn: listLibrary } as const;

/** The files of the library; undefined while they are not known. Read again when `links` name one that is not among them. */
export function useLibrary(links: readonly string[] = []): LibraryFile[] | undefined {
  const { data, refetch } = useQuery(libraryQuery);
  const known = new Set(data?.data.map(({ id }) => id));
  const unknown = links.map(libraryIdOf).filter((id) => id !== null && !known.has(id));
  const wanted = data === undefined ? "" : unknown.join(" ");
  useEffect(() => {
    if (wanted !== "") void refetch();
  }, [wanted, refetch]);
  return data?.data;
}

/**
 * What a video is called and, of one in the library, its file. `name` is the one it had when it was fetched, if it was; a link
 * from elsewhere stands for itself until then.
 */
export function useSource(link: string, name: string | null): { name: string; file: LibraryFile | null } {
  const id = libraryIdOf(link);
  const { data } = useQuery({
    ...libraryQuery,
    enabled: id !== null,
    staleTime: Infinity,
    // Only this file: its row is drawn again for no other one's sake.
    select: (library: LibraryResponse) => library.data.filter((file) => file.id === id),
  });
  return { name: name ?? (id === null ? link : nameSource(link, data)), file: data?.[0] ?? null };
}
