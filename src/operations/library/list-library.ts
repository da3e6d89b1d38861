import type { LibraryResponse } from "#contract/calls.ts";
import type { Context } from "../context.ts";
import { SAMPLES_ADDED } from "./add-samples.ts";
import { selectLibraryFiles, toLibraryFile } from "./to-library-file.ts";

/** Oldest first; omits incompletely stored files. `isReady` is false until the samples are added. */
export async function listLibrary(context: Pick<Context, "db" | "links">): Promise<LibraryResponse> {
  const rows = await selectLibraryFiles(context.db).orderBy("library_files.created_at").orderBy("name").execute();
  const added = await context.db
    .selectFrom("settings")
    .select("name")
    .where("name", "=", SAMPLES_ADDED)
    .executeTakeFirst();
  return { data: rows.map((row) => toLibraryFile(row, context.links)), isReady: added !== undefined };
}
