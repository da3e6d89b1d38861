import { sql } from "kysely";
import type { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import type { updateTranscriptSchema, WholeTranscript } from "#contract/transcripts/transcripts.ts";
import { tidyTranscript } from "#media/subtitles/tidy-transcript.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { readTranscript, transcriptGone } from "./read-transcripts.ts";

/**
 * Replaces all lines. Throws ClipmillError "not_found", or "conflict" if the transcript has changed since `revision` or
 * is not completed: nothing is overwritten.
 */
export async function changeTranscript(
  context: Pick<Context, "db" | "links"> & ActorContext,
  { id, revision, lines }: z.output<typeof updateTranscriptSchema>,
): Promise<WholeTranscript> {
  const tidied = JSON.stringify(tidyTranscript(lines));
  await context.db.transaction().execute(async (trx) => {
    const now = sql<string>`now()`;
    const { numUpdatedRows } = await trx
      .updateTable("transcripts")
      .set({ lines: tidied, revision: sql<number>`revision + 1`, edited_at: now, updated_at: now })
      .where("id", "=", id)
      .where("revision", "=", revision)
      .where("status", "=", "Completed")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      const found = await trx.selectFrom("transcripts").select("status").where("id", "=", id).executeTakeFirst();
      if (!found) throw transcriptGone();
      throw new ClipmillError(
        "conflict",
        found.status === "Completed"
          ? "Someone else has changed this transcript. Your changes were not saved. Reload the transcript, then make them again."
          : "This transcript is not finished yet.",
      );
    }
    await writeAudit(trx, context.actor, { action: "transcripts.change", subjects: [id] });
  });
  return await readTranscript(context, id);
}

/** Throws ClipmillError "not_found", or "conflict" if a video that has not ended uses it. */
export async function deleteTranscript(context: Pick<Context, "db"> & ActorContext, id: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    // The lock makes new uses wait, then fail.
    const found = await trx
      .selectFrom("transcripts")
      .select(sql<boolean>`exists (${IS_NEEDED})`.as("isNeeded"))
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw transcriptGone();
    if (found.isNeeded) {
      throw new ClipmillError(
        "conflict",
        "An unfinished job uses this transcript. Delete the transcript after the job has ended.",
      );
    }
    await writeAudit(trx, context.actor, { action: "transcripts.delete", subjects: [id] });
    await trx.deleteFrom("transcripts").where("id", "=", id).execute();
  });
}

/** In queries of `transcripts`: its uses by videos that have not ended. */
export const IS_NEEDED = sql`select from transcript_uses join job_videos on job_videos.id = video_id
  join jobs on jobs.id = job_id
  where transcript_id = transcripts.id and job_videos.status in ('Queued', 'Processing')
    and jobs.status in ('Queued', 'Processing')`;
