import type { Selectable } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { ListedFile } from "./listed-file.ts";

type CopiedFile = Pick<Selectable<Tables["watch_files"]>, "path" | "name" | "revision" | "size_bytes">;

export type WatchedFiles = AsyncDisposable & {
  /** Throws a ClipmillError about the folder. */
  list(): Promise<ListedFile[]>;
  /**
   * Returns the copy's link, or null if the file is no longer the listed version. Null if jobs fetch files by their
   * links. Throws ClipmillError.
   */
  copy: ((file: CopiedFile) => Promise<string | null>) | null;
};
