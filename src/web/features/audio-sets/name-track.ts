import type { LibraryFile } from "#contract/calls.ts";
import { parseAudioLink } from "#contract/links.ts";

/** What a track is called: the name of a file of the library, else what tells its link from others. */
export function nameTrack(link: string, library: readonly Pick<LibraryFile, "link" | "name">[]): string {
  const parsed = parseAudioLink(link);
  if (!parsed) return link;
  switch (parsed.host) {
    case "library":
      return library.find((file) => file.link === link)?.name ?? `Library file ${parsed.id}`;
    case "google-drive":
      return `Drive file ${parsed.id}`;
    case "instagram":
      return `Instagram ${new URL(parsed.url).pathname.replaceAll(/^\/|\/$/g, "")}`;
  }
}
