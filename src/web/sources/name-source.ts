import type { LibraryFile } from "#contract/calls.ts";
import { parseAudioLink } from "#contract/sources/links.ts";

/** The id of the library's file that a link names, however it is written; null when it names something else. */
export function libraryIdOf(link: string): string | null {
  const parsed = parseAudioLink(link);
  return parsed?.host === "library" ? parsed.id : null;
}

/**
 * What a video or track is called: the name of a file of the library, else what tells its link from others. `library` is
 * undefined while it is not known.
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
