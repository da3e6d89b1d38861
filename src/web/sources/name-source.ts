import type { LibraryFile } from "#contract/calls.ts";
import { parseAudioLink } from "#contract/sources/links.ts";

/** Returns the library file id in a link of any form; null for other links. */
export function libraryIdOf(link: string): string | null {
  const parsed = parseAudioLink(link);
  return parsed?.host === "library" ? parsed.id : null;
}

/**
 * Returns the name of a video or track: a library file's name, otherwise the distinguishing part of its link. `library`
 * is undefined until loaded.
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
