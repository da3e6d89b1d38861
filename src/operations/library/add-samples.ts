import { randomBytes } from "node:crypto";
import path from "node:path";
import type { Insertable } from "kysely";
import type { LibraryFilesTable } from "#database/tables.ts";
import type { Context } from "../context.ts";

/** Set once the sample clips are in the library; an operator who deletes them doesn't get them back. */
export const SAMPLES_DRAWN = "samples_drawn";

export type DrawnSample = { fileName: string; title: string; kind: "video" | "audio"; durationSeconds: number };

/** Draws the sample clips into `folder` with `draw` and takes them into the library, once per installation. */
export async function addSamples(
  context: Pick<Context, "db" | "storage">,
  folder: string,
  draw: (folder: string) => Promise<DrawnSample[]>,
): Promise<void> {
  const drawn = await context.db
    .selectFrom("settings")
    .select("name")
    .where("name", "=", SAMPLES_DRAWN)
    .executeTakeFirst();
  if (drawn) return;
  const files: Insertable<LibraryFilesTable>[] = [];
  for (const sample of await draw(folder)) {
    const id = randomBytes(16).toString("base64url");
    const storageKey = `library/${id}${path.extname(sample.fileName)}`;
    const { sizeBytes } = await context.storage.put(storageKey, path.join(folder, sample.fileName));
    files.push({
      id,
      name: `${sample.title}${path.extname(sample.fileName)}`,
      kind: sample.kind,
      storage_key: storageKey,
      size_bytes: sizeBytes,
      duration_seconds: sample.durationSeconds,
      is_sample: true,
    });
  }
  await context.db.transaction().execute(async (trx) => {
    await trx.insertInto("library_files").values(files).execute();
    await trx.insertInto("settings").values({ name: SAMPLES_DRAWN, value: new Date().toISOString() }).execute();
  });
}
