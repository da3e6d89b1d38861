import { sql, type Transaction } from "kysely";
import { OPEN_DELIVERY } from "#contract/destinations/deliveries.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { CANCEL_CHANNEL } from "../jobs/cancel-job.ts";

/** Also cancels running deliveries. Returns the number. */
export async function cancelDeliveries(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  { id, destinationId }: { id?: string; destinationId?: string },
  reason: string | null,
): Promise<number> {
  const cancelled = await trx
    .updateTable("deliveries")
    .set({
      status: "Cancelled",
      stage: null,
      error_message: reason,
      waits_for: null,
      waiting_since: null,
      next_try_at: null,
      ended_at: sql<string>`now()`,
      updated_at: sql<string>`now()`,
    })
    .where("status", "in", OPEN_DELIVERY)
    .$if(id !== undefined, (query) => query.where("id", "=", id!))
    .$if(destinationId !== undefined, (query) => query.where("destination_id", "=", destinationId!))
    .returning(["id", "job_id"])
    .execute();
  await context.queue.deliveries.cancel(
    trx,
    cancelled.map((row) => row.id),
  );
  for (const jobId of new Set(cancelled.map((row) => row.job_id))) {
    await sql`select pg_notify(${CANCEL_CHANNEL}, ${jobId})`.execute(trx);
  }
  return cancelled.length;
}
