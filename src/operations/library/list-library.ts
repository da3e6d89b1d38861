import type { LibraryResponse } from "#contract/calls.ts";
import type { Context } from "../context.ts";
import { SAMPLES_DRAWN } from "./add-samples.ts";
import { toLibraryFile } from "./to-library-file.ts";

/** The files of Clipmill's own library, oldest first. */
export async function listLibrary(context: Pick<Context, "db">): Promise<LibraryResponse> {
  const rows = await context.db
    .selectFrom("library_files")
    .selectAll()
    .where("stored_at", "is not", null)
    .orderBy("created_at")
    .orderBy("name")
    .execute();
  const drawn = await context.db
    .selectFrom("settings")
    .select("name")
    .where("name", "=", SAMPLES_DRAWN)
    .executeTakeFirst();
  return { data: rows.map(toLibraryFile), isReady: drawn !== undefined };
}
