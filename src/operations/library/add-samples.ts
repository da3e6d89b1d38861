import { randomBytes } from "node:crypto";
import path from "node:path";
import type { Insertable } from "kysely";
import type { LibraryFilesTable } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { keepThumbnail } from "./draw-thumbnail.ts";

/** Set once the samples are added: deleted ones do not come back. */
export const SAMPLES_DRAWN = "samples_drawn";

export type DrawnSample = { fileName: string; title: string; kind: "video" | "audio"; durationSeconds: number };

/** Draws samples into `folder` and adds them in order, once per installation. */
export async function addSamples(
  context: Pick<Context, "db" | "storage">,
  folder: string,
  how: {
    draw: (folder: string) => Promise<DrawnSample[]>;
    drawThumbnail: (path: string) => Promise<Uint8Array | null>;
  },
): Promise<void> {
  const drawn = await context.db
    .selectFrom("settings")
    .select("name")
    .where("name", "=", SAMPLES_DRAWN)
    .executeTakeFirst();
  if (drawn) return;
  await forgetHalfStored(context);
  const ids: string[] = [];
  for (const sample of await how.draw(folder)) {
    const file = toRow(sample);
    const drawnFile = path.join(folder, sample.fileName);
    ids.push(file.id);
    // Inserted before storing, so that cleanup finds the file after a power cut.
    await context.db.insertInto("library_files").values(file).execute();
    if (sample.kind === "video") await keepThumbnail(context, file.id, await how.drawThumbnail(drawnFile));
    const { sizeBytes } = await context.storage.put(file.storage_key, drawnFile);
    await context.db.updateTable("library_files").set({ size_bytes: sizeBytes }).where("id", "=", file.id).execute();
  }
  const now = new Date();
  await context.db.transaction().execute(async (trx) => {
    for (const [place, id] of ids.entries()) {
      // The library is sorted by age: times a millisecond apart keep the order.
      const at = new Date(now.getTime() + place).toISOString();
      await trx.updateTable("library_files").set({ stored_at: at, created_at: at }).where("id", "=", id).execute();
    }
    await trx.insertInto("settings").values({ name: SAMPLES_DRAWN, value: now.toISOString() }).execute();
  });
}

/** Removes a killed start's samples; no other program draws any at the same time. */
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

function toRow(sample: DrawnSample) {
  const id = randomBytes(16).toString("base64url");
  const extension = path.extname(sample.fileName);
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
