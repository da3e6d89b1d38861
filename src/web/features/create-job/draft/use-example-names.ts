import { libraryIdOf } from "../../../sources/named-sources.ts";
import { useLibrary } from "../../../sources/use-library.ts";
import type { ReadForm } from "./job-form.ts";
import { firstLinks, type Library } from "./name-example.ts";

/** Loads the library if the first file is made from it. */
export function useExampleLibrary(read: ReadForm): Library {
  const links = firstLinks(read).filter((link) => link !== undefined && libraryIdOf(link) !== null) as string[];
  return useLibrary(links, links.length > 0);
}
