import { sql } from "kysely";
import type { ActorContext } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { CANCEL_CHANNEL } from "../../jobs/cancel-job.ts";

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
