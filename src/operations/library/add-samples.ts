import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Insertable } from "kysely";
import type { LibraryFilesTable } from "#database/tables.ts";
import { SAMPLE_CLIPS, type SampleClip } from "#media/samples/sample-clips.ts";
import type { Context } from "../context.ts";
import { keepThumbnail } from "./draw-thumbnail.ts";

/** Set once the samples are added: deleted ones do not come back. */
export const SAMPLES_ADDED = "samples_drawn";

/** Adds the samples in order, once per installation. `folder` is for copies, because the storage moves files. */
export async function addSamples(
  context: Pick<Context, "db" | "storage">,
  folder: string,
  drawThumbnail: (path: string) => Promise<Uint8Array | null>,
): Promise<void> {
  const added = await context.db
    .selectFrom("settings")
    .select("name")
    .where("name", "=", SAMPLES_ADDED)
    .executeTakeFirst();
  if (added) return;
  await forgetHalfStored(context);
  const ids: string[] = [];
  for (const sample of SAMPLE_CLIPS) {
    const file = toRow(sample);
    const copy = path.join(folder, path.basename(sample.path));
    // `copyFile` would keep the mode, which lets everyone read the file.
    await writeFile(copy, await readFile(sample.path));
    ids.push(file.id);
    // Inserted before storing, so that cleanup finds the file after a power cut.
    await context.db.insertInto("library_files").values(file).execute();
    if (sample.kind === "video") await keepThumbnail(context, file.id, await drawThumbnail(copy));
    const { sizeBytes } = await context.storage.put(file.storage_key, copy);
    await context.db.updateTable("library_files").set({ size_bytes: sizeBytes }).where("id", "=", file.id).execute();
  }
  const now = new Date();
  await context.db.transaction().execute(async (trx) => {
    for (const [place, id] of ids.entries()) {
      // The library is sorted by age: times a millisecond apart keep the order.
      const at = new Date(now.getTime() + place).toISOString();
      await trx.updateTable("library_files").set({ stored_at: at, created_at: at }).where("id", "=", id).execute();
    }
    await trx.insertInto("settings").values({ name: SAMPLES_ADDED, value: now.toISOString() }).execute();
  });
}

/** Removes a killed start's samples; no other program adds any at the same time. */
async function forgetHalfStored({ db, storage }: Pick<Context, "db" | "storage">): Promise<void> {
  const left = await db
    .selectFrom("library_files")
    .select(["id", "storage_key"])
    .where("is_sample", "=", true)
    .where("stored_at", "is", null)
    .execute();
  for (const { id, storage_key: key } of left) {
    await storage.removeAll(key);
    await db.deleteFrom("library_files").where("id", "=", id).execute();
  }
}

function toRow(sample: SampleClip) {
  const id = randomBytes(16).toString("base64url");
  const extension = path.extname(sample.path);
  return {
    id,
    name: `${sample.title}${extension}`,
    kind: sample.kind,
    storage_key: `library/${id}${extension}`,
    size_bytes: 0,
    duration_seconds: sample.durationSeconds,
    is_sample: true,
    stored_at: null,
  } satisfies Insertable<LibraryFilesTable>;
}
