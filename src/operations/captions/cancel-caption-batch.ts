import { sql } from "kysely";
import type { Context } from "../context.ts";
import { CANCEL_CHANNEL } from "../jobs/cancel-job.ts";

/** Ends what is still to do of a batch; workers hear of it by NOTIFY. Captions that are there stay. */
export async function cancelCaptionBatch(context: Pick<Context, "db" | "queue">, batchId: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable("caption_tasks")
      .set({ status: "Cancelled", stage: null, error_message: "Cancelled", updated_at: sql<string>`now()` })
      .where("batch_id", "=", batchId)
      .where("status", "in", ["Queued", "Processing"])
      .returning("id")
      .execute();
    await context.queue.captions.cancel(
      trx,
      ended.map(({ id }) => id),
    );
    await sql`select pg_notify(${CANCEL_CHANNEL}, ${batchId})`.execute(trx);
  });
}
