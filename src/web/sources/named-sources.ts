import type { LibraryFile } from "#contract/calls.ts";
import { linkHostOf } from "#contract/sources/link-hosts.ts";
import { parseLink } from "#contract/sources/links.ts";

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

/** Accepts any form of link; null for links outside the library. */
export function libraryIdOf(link: string): string | null {
  const parsed = parseLink(link);
  return parsed?.host === "library" ? parsed.id : null;
}

/**
 * Returns the library file's name, or else the distinguishing part of the link. `library` is undefined while loading.
 */
export function nameSource(link: string, library: readonly Pick<LibraryFile, "id" | "name">[] | undefined): string {
  const parsed = parseLink(link);
  if (!parsed) return link;
  if (parsed.host !== "library" || library === undefined) return linkHostOf(parsed.host).nameOf(parsed);
  return library.find(({ id }) => id === parsed.id)?.name ?? "Deleted library file";
}
