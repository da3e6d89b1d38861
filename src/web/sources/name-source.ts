import type { LibraryFile } from "#contract/calls.ts";
import { linkHostOf } from "#contract/sources/link-hosts.ts";
import { parseLink } from "#contract/sources/links.ts";

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
