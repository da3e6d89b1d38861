import type { LibraryResponse } from "#contract/calls.ts";
import { libraryLink } from "#contract/links.ts";
import type { Context } from "../context.ts";
import { SAMPLES_DRAWN } from "./add-samples.ts";

/** The files of Clipmill's own library, oldest first. */
export async function listLibrary(context: Pick<Context, "db">): Promise<LibraryResponse> {
  const rows = await context.db.selectFrom("library_files").selectAll().orderBy("created_at").orderBy("name").execute();
  const drawn = await context.db
    .selectFrom("settings")
    .select("name")
    .where("name", "=", SAMPLES_DRAWN)
    .executeTakeFirst();
  const data = rows.map((row) => ({
    id: row.id,
    name: row.name,
    kind: row.kind,
    link: libraryLink(row.id),
    durationSeconds: row.duration_seconds,
    isSample: row.is_sample,
  }));
  return { data, isReady: drawn !== undefined };
}
