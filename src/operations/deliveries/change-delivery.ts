import { sql, type Transaction } from "kysely";
import type { z } from "zod";
import { type Delivery, isOpenDelivery, OPEN_DELIVERY } from "#contract/destinations/deliveries.ts";
import type { changeDeliverySchema } from "#contract/destinations/destination-requests.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { CANCEL_CHANNEL } from "../jobs/cancel-job.ts";
import { lockJob } from "../jobs/lock-job.ts";
import { retryUntilRequeued } from "../jobs/videos/requeue-failed.ts";
import { readDelivery } from "./list-deliveries.ts";
import { requireFiles, addFiles } from "./start-deliveries.ts";

type DeliveryContext = Pick<Context, "db" | "queue"> & ActorContext;

/** A retry does not send delivered files again. Throws ClipmillError "not_found" or "conflict". */
export async function changeDelivery(
  context: DeliveryContext,
  { id, action }: z.output<typeof changeDeliverySchema>,
): Promise<Delivery> {
  if (action === "cancel") await context.db.transaction().execute((trx) => cancel(context, trx, id));
  else {
    const again = () => context.db.transaction().execute((trx) => retry(context, trx, id));
    await retryUntilRequeued(again, "The delivery has just ended. Try again in a moment.");
  }
  const delivery = await readDelivery(context, id);
  if (!delivery) throw deliveryGone();
  return delivery;
}

async function cancel(context: DeliveryContext, trx: Transaction<Tables>, id: string): Promise<void> {
  const { jobId } = await lockDelivery(trx, id);
  if ((await cancelDeliveries(context, trx, { id }, null)) === 0) {
    throw new ClipmillError("conflict", "This delivery has already ended.");
  }
  await writeAudit(trx, context.actor, { action: "job.cancel_delivery", subjects: [jobId] });
}

async function retry(context: DeliveryContext, trx: Transaction<Tables>, id: string): Promise<boolean> {
  const { jobId, status, attempts, destinationId } = await lockDelivery(trx, id);
  if (isOpenDelivery(status)) throw new ClipmillError("conflict", "This delivery is still in progress.");
  if (destinationId === null) {
    throw new ClipmillError("conflict", "The destination of this delivery was removed. Deliver to another one.");
  }
  await requireFiles(trx, jobId);
  await requireNoOther(trx, jobId, destinationId);
  const forgotten = await context.queue.deliveries.forget(trx, [id]);
  if (!forgotten) return false;
  await trx
    .updateTable("delivery_files")
    .set({ state: "Waiting", attempts: 0, error_message: null, updated_at: sql<string>`now()` })
    .where("delivery_id", "=", id)
    .where("state", "=", "Failed")
    .execute();
  await trx
    .updateTable("deliveries")
    .set({
      status: "Queued",
      error_message: null,
      waits_for: null,
      waiting_since: null,
      next_try_at: null,
      ended_at: null,
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", id)
    .execute();
  await addFiles(trx, id, jobId);
  const task = { deliveryId: id, jobId, destinationId, attemptsBefore: attempts };
  await context.queue.deliveries.enqueue(trx, [task], { after: forgotten });
  await writeAudit(trx, context.actor, { action: "job.retry_delivery", subjects: [jobId] });
  return true;
}

/** Locks the job first, like every change of a job. */
async function lockDelivery(trx: Transaction<Tables>, id: string) {
  const known = await trx.selectFrom("deliveries").select("job_id").where("id", "=", id).executeTakeFirst();
  if (!known || !(await lockJob(trx, known.job_id))) throw deliveryGone();
  const delivery = await trx
    .selectFrom("deliveries")
    .select(["job_id as jobId", "status", "attempts", "destination_id as destinationId"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!delivery) throw deliveryGone();
  return delivery;
}

async function requireNoOther(trx: Transaction<Tables>, jobId: string, destinationId: string): Promise<void> {
  const other = await trx
    .selectFrom("deliveries")
    .select("id")
    .where("job_id", "=", jobId)
    .where("destination_id", "=", destinationId)
    .where("status", "in", ["Queued", "Processing"])
    .executeTakeFirst();
  if (other) throw new ClipmillError("conflict", "The job is already being delivered to this destination.");
}

function deliveryGone(): ClipmillError {
  return new ClipmillError("not_found", "This delivery no longer exists.");
}

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
