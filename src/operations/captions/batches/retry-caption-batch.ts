import { sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { tryNow } from "../../hosts/try-now.ts";
import { NOT_WAITING } from "../../hosts/find-cooldown.ts";
import { CANCEL_CHANNEL } from "../../jobs/cancel-job.ts";
import { holdLibraryFiles } from "../../library/library-uses.ts";
import { requireCaptionModel } from "../generate-captions.ts";

/**
 * Also retries waiting videos now. Throws ClipmillError "invalid" without a key, "conflict" while a canceled video is
 * stopping.
 */
export async function retryCaptionBatch(
  context: Pick<Context, "db" | "queue" | "secrets" | "openAi" | "hosts"> & ActorContext,
  batchId: string,
): Promise<void> {
  await requireCaptionModel(context, "vision");
  await context.db.transaction().execute(async (trx) => {
    const waiting = await trx
      .selectFrom("caption_tasks")
      .select(["id", "waits_for"])
      .where("batch_id", "=", batchId)
      .where("status", "=", "Queued")
      .where("waiting_since", "is not", null)
      // A cancel locks rows before tasks; skip the rows that it has locked.
      .forNoKeyUpdate()
      .skipLocked()
      .execute();
    if (waiting.length > 0) await tryNow(context, trx, "captions", waiting);
    const tasks = await trx
      .updateTable("caption_tasks")
      .set({ ...NOT_WAITING, status: "Queued", error_message: null, updated_at: sql<string>`now()` })
      .where("batch_id", "=", batchId)
      .where("status", "in", ["Failed", "Cancelled"])
      .returning(["id", "attempts", "position", "link"])
      .execute();
    await holdLibraryFiles(
      trx,
      tasks.map(({ link }) => link),
    );
    tasks.sort((a, b) => a.position - b.position);
    const ids = tasks.map(({ id }) => id);
    const forgotten = await context.queue.captions.forget(trx, ids);
    if (!forgotten) {
      throw new ClipmillError("conflict", "One of these videos is still stopping. Try again in a moment.");
    }
    const again = tasks.map(({ id: taskId, attempts: attemptsBefore }) => ({ taskId, batchId, attemptsBefore }));
    await context.queue.captions.enqueue(trx, again, { after: forgotten });
    if (waiting.length + tasks.length === 0) return;
    await writeAudit(trx, context.actor, { action: "captions.retry", subjects: [batchId] });
  });
}

/** Keeps finished captions. Notifies workers. */
export async function cancelCaptionBatch(
  context: Pick<Context, "db" | "queue"> & ActorContext,
  batchId: string,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable("caption_tasks")
      .set({ status: "Cancelled", stage: null, error_message: "Cancelled", updated_at: sql<string>`now()` })
      .where("batch_id", "=", batchId)
      .where("status", "in", ["Queued", "Processing"])
      .returning("id")
      .execute();
    if (ended.length === 0) return;
    await context.queue.captions.cancel(
      trx,
      ended.map(({ id }) => id),
    );
    await writeAudit(trx, context.actor, { action: "captions.cancel", subjects: [batchId] });
    await sql`select pg_notify(${CANCEL_CHANNEL}, ${batchId})`.execute(trx);
  });
}
