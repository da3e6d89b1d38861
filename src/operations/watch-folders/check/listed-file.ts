import type { FolderEntry } from "#contract/sources/source-host.ts";
import type { LeftOut } from "#contract/watch-folders/left-out.ts";

/** A file that a check found. `link` is null for local files. `leftOut` is set if its name does not matter. */
export type ListedFile = Omit<FolderEntry, "link"> & { link: string | null; leftOut: LeftOut | null };
