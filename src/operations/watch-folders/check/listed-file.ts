import { ClipmillError } from "#contract/errors.ts";
import type { FolderEntry } from "#contract/sources/source-host.ts";
import type { LeftOut } from "#contract/watch-folders/left-out.ts";
import { WATCH_LIMITS } from "#contract/watch-folders/watch-folders.ts";

/** `link` is null for local files. `leftOut` is set for files left out whatever their name. */
export type ListedFile = Omit<FolderEntry, "link"> & { link: string | null; leftOut: LeftOut | null };

export function tooManyFiles(): ClipmillError {
  const most = WATCH_LIMITS.files.toLocaleString("en");
  return new ClipmillError("too_large", `This folder has more than ${most} files. Move the finished ones away.`);
}
