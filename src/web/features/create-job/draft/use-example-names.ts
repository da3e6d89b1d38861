import { libraryIdOf, nameSource } from "../../../sources/named-sources.ts";
import { useLibrary } from "../../../sources/use-library.ts";
import { useChecks } from "../videos/use-video-rows.ts";
import type { ReadForm } from "./job-form.ts";
import { firstLinks, type NameOfLink } from "./name-example.ts";

/** Names checked videos as the list does. Loads the library if the first file is made from it, unless not needed. */
export function useExampleNames(read: ReadForm, isNeeded = true): NameOfLink {
  const links = firstLinks(read).filter((link) => link !== undefined && libraryIdOf(link) !== null) as string[];
  const library = useLibrary(links, isNeeded && links.length > 0);
  const checks = useChecks();
  return (link) => checks.get(link)?.name ?? nameSource(link, library);
}
