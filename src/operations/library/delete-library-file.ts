import { sql } from "kysely";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import type { Acting } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { removeDoomedFiles } from "../jobs/delete-jobs.ts";

export const deleteLibraryFileSchema = z.object({ id: z.string({ error: "The file's id is missing or not valid." }) });

const STILL_NEEDED = "A running or waiting job needs this file. Cancel the job or wait until it ends.";
const STILL_LOOKED_AT = "Caption Lab is still using this file. Cancel the captions or wait until they are done.";

/**
 * Deletes a file of the library; one that is not there counts as deleted. Throws ClipmillError "conflict" while a job that has
 * not ended names it, or a batch of captions: its videos would fail one by one.
 */
export async function deleteLibraryFile(context: Pick<Context, "db" | "storage"> & Acting, id: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const file = await trx.selectFrom("library_files").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
    if (!file) return;
    // ids are long and random: no other link holds one by chance, however it is written
    const needing = await trx
      .selectFrom("jobs")
      .select("id")
      .where("status", "in", ["Queued", "Processing", "Cancelling"])
      .where(sql<boolean>`strpos(array_to_string(input_videos || custom_audio_links, ' '), ${id}) > 0`)
      .limit(1)
      .executeTakeFirst();
    if (needing) throw new ClipmillError("conflict", STILL_NEEDED, { facts: { jobId: needing.id } });
    const lookedAt = await trx
      .selectFrom("caption_tasks")
      .select("id")
      .where("status", "in", ["Queued", "Processing"])
      .where(sql<boolean>`strpos(link, ${id}) > 0`)
      .limit(1)
      .executeTakeFirst();
    if (lookedAt) throw new ClipmillError("conflict", STILL_LOOKED_AT);
    await writeAudit(trx, context.actor, { action: "library.delete", subjects: [id] });
    const deleted = await trx
      .deleteFrom("library_files")
      .where("id", "=", id)
      .returning("storage_key")
      .executeTakeFirstOrThrow();
    await trx.insertInto("doomed_files").values({ prefix: deleted.storage_key }).execute();
  });
  await removeDoomedFiles(context);
}
