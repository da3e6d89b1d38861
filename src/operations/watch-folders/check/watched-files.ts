import type { Selectable } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { ListedFile } from "./listed-file.ts";

type CopiedFile = Pick<Selectable<Tables["watch_files"]>, "path" | "name" | "revision" | "size_bytes">;

/** The files of a watch folder. */
export type WatchedFiles = AsyncDisposable & {
  /** Throws ClipmillError with what is wrong with the folder. */
  list(): Promise<ListedFile[]>;
  /**
   * Copies a file to the library and returns its link there, or null if it is no longer the listed version. Null if
   * jobs fetch the files by their links. Throws ClipmillError.
   */
  copy: ((file: CopiedFile) => Promise<string | null>) | null;
};
