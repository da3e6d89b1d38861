import { libraryLink } from "#contract/sources/hosts/library.ts";
import { splitLinks } from "#contract/sources/links.ts";
import { libraryIdOf } from "../../sources/named-sources.ts";

/** SPEC's `videoLinks` has both: what the field shows, and links of library files, which are listed by name. */
export type LabVideos = { text: string; files: string[] };

/** Lists each file once. */
export function readVideos(videoLinks: string): LabVideos {
  const lines = videoLinks.split("\n").map((line) => ({ line, id: libraryIdOf(line.trim()) }));
  const ids = new Set(lines.flatMap(({ id }) => (id === null ? [] : [id])));
  const text = lines.flatMap(({ line, id }) => (id === null ? [line] : [])).join("\n");
  return { text, files: [...ids].map(libraryLink) };
}

export function writeVideos({ text, files }: LabVideos): string {
  return [...(text === "" ? [] : [text]), ...files].join("\n");
}

/** In the order of the screen. */
export function linksOf({ text, files }: LabVideos): string[] {
  return [...splitLinks(text), ...files];
}
