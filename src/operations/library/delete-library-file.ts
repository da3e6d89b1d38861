import { sql } from "kysely";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { deleteScheduledFiles } from "../jobs/delete-jobs.ts";

export const deleteLibraryFileSchema = z.object({ id: z.string({ error: "The file ID is missing or not valid." }) });

const STILL_NEEDED = "A running or waiting job needs this file. Cancel the job or wait until it ends.";
const STILL_LOOKED_AT = "Caption Lab is still using this file. Cancel the captions or wait until they are done.";

/**
 * Deletes a library file; a missing one counts as deleted. Throws ClipmillError "conflict" while an unfinished job or
 * caption batch uses it: its videos would fail one by one.
 */
export async function deleteLibraryFile(
  context: Pick<Context, "db" | "storage"> & ActorContext,
  id: string,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const file = await trx.selectFrom("library_files").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
    if (!file) return;
    // Ids are long and random: no other link contains one by chance, in any spelling.
    const needing = await trx
      .selectFrom("jobs")
      .select("id")
      .where("status", "in", ["Queued", "Processing", "Cancelling"])
      .where(
        sql<boolean>`strpos(concat_ws(' ', array_to_string(input_videos || custom_audio_links, ' '),
          settings ->> 'watermark_image'), ${id}) > 0`,
      )
      .limit(1)
      .executeTakeFirst();
    if (needing) throw new ClipmillError("conflict", STILL_NEEDED, { facts: { jobId: needing.id } });
    const inCaptionLab = await trx
      .selectFrom("caption_tasks")
      .select("id")
      .where("status", "in", ["Queued", "Processing"])
      .where(sql<boolean>`strpos(link, ${id}) > 0`)
      .limit(1)
      .executeTakeFirst();
    if (inCaptionLab) throw new ClipmillError("conflict", STILL_LOOKED_AT);
    await writeAudit(trx, context.actor, { action: "library.delete", subjects: [id] });
    const deleted = await trx
      .deleteFrom("library_files")
      .where("id", "=", id)
      .returning("storage_key")
      .executeTakeFirstOrThrow();
    await trx.insertInto("doomed_files").values({ prefix: deleted.storage_key }).execute();
  });
  await deleteScheduledFiles(context);
}
