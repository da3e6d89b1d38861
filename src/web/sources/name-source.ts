import type { LibraryFile } from "#contract/calls.ts";
import { parseAudioLink } from "#contract/sources/links.ts";

/** Accepts any form of link; null for links outside the library. */
export function libraryIdOf(link: string): string | null {
  const parsed = parseAudioLink(link);
  return parsed?.host === "library" ? parsed.id : null;
}

/**
 * Returns a library file's name, otherwise the distinguishing part of the link. `library` is undefined until loaded.
 */
export function nameSource(link: string, library: readonly Pick<LibraryFile, "id" | "name">[] | undefined): string {
  const parsed = parseAudioLink(link);
  if (!parsed) return link;
  switch (parsed.host) {
    case "library":
      if (library === undefined) return "Library file";
      return library.find(({ id }) => id === parsed.id)?.name ?? "Deleted library file";
    case "google-drive":
      return `Drive file ${parsed.id}`;
    case "instagram":
      return `Instagram ${new URL(parsed.url).pathname.replaceAll(/^\/|\/$/g, "")}`;
  }
}
