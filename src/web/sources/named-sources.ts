import type { LibraryFile } from "#contract/calls.ts";
import { libraryIdOf, nameSource } from "./name-source.ts";

export type NamedSource = { link: string; name: string; file: LibraryFile | null };

/** Lists each source once, in order. Skips videos outside the library: they have no name until fetched. */
export function namedSources(
  links: readonly string[],
  library: readonly LibraryFile[] | undefined,
  isMusic: boolean,
): NamedSource[] {
  const sources = new Map<string, NamedSource>();
  const files = new Map(library?.map((file) => [file.id, file]));
  for (const link of links) {
    const id = libraryIdOf(link);
    if (id === null && !isMusic) continue;
    const key = id ?? link;
    if (!sources.has(key)) {
      sources.set(key, { link, name: nameSource(link, library), file: id === null ? null : (files.get(id) ?? null) });
    }
  }
  return [...sources.values()];
}
