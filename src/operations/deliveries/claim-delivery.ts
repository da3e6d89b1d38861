import { type Selectable, sql, type Transaction } from "kysely";
import { OPEN_DELIVERY } from "#contract/destinations/deliveries.ts";
import { folderFor } from "#contract/destinations/destination-fields.ts";
import type { Failure } from "#contract/jobs/failures.ts";
import { destinationHost } from "#contract/sources/cooldowns.ts";
import type { DeliveriesTable, Tables } from "#database/tables.ts";
import type { DeliveryTask } from "#queue/open-queue.ts";
import { type AttemptClaim, type AttemptRef, postponeAttempt, startAttempt } from "../attempts/task-rows.ts";
import type { Context } from "../context.ts";
import { type DestinationRow, selectDestinations } from "../destinations/select-destinations.ts";
import { findCooldown, cooldownFailure, type Wait } from "../hosts/find-cooldown.ts";
import { countFiles, TURNED_OFF } from "./start-deliveries.ts";

export type ClaimedDelivery = {
  delivery: Selectable<DeliveriesTable> & { folder: string };
  destination: DestinationRow;
};

/**
 * Returns null if the delivery has ended, a later attempt owns it, it now waits for a cooling destination, or the
 * destination is turned off, which fails it.
 */
export function claimDelivery(
  context: Pick<Context, "db" | "queue">,
  task: DeliveryTask,
  attempt: number,
): Promise<ClaimedDelivery | null> {
  const taskId = task.deliveryId;
  return context.db.transaction().execute(async (trx) => {
    const destination = await selectDestinations(trx).where("id", "=", task.destinationId).executeTakeFirst();
    if (!destination) return null;
    if (!destination.enabled) {
      if (await startAttempt(trx, "deliveries", { taskId, attempt })) await fail(trx, taskId, TURNED_OFF);
      return null;
    }
    const cooldown = await findCooldown(trx, [destinationHost(destination.id), "storage"], taskId);
    const claim = { ...task, taskId, attempt };
    const postponement = cooldown && { failure: cooldownFailure(cooldown), wait: cooldown };
    if (postponement && (await postponeAttempt(context, trx, "deliveries", claim, postponement))) return null;
    const delivery = await startAttempt(trx, "deliveries", { taskId, attempt });
    if (!delivery) return null;
    const place = JSON.stringify([destination.connection_id, destination.settings.place]);
    const isElsewhere = delivery.place !== null && delivery.place !== place;
    if (isElsewhere) await startOver(trx, delivery);
    // Kept by later attempts at the same place, even if the destination is changed meanwhile.
    const folder =
      isElsewhere || delivery.folder === null ? await nameFolder(trx, delivery, destination) : delivery.folder;
    await trx.updateTable("deliveries").set({ folder, place }).where("id", "=", taskId).execute();
    return { delivery: { ...delivery, folder, place }, destination };
  });
}

async function nameFolder(
  trx: Transaction<Tables>,
  { job_id: jobId }: Pick<DeliveriesTable, "job_id">,
  { settings }: DestinationRow,
): Promise<string> {
  const { job_name: name } = await trx
    .selectFrom("jobs")
    .select("job_name")
    .where("id", "=", jobId)
    .executeTakeFirstOrThrow();
  return folderFor(settings.folder, name);
}

/** Sends all files to the new place. Posts stay delivered: nobody wants them twice. */
async function startOver(trx: Transaction<Tables>, { id, kind }: Selectable<DeliveriesTable>): Promise<void> {
  await trx.deleteFrom("delivery_files").where("delivery_id", "=", id).where("output_id", "is", null).execute();
  await trx
    .updateTable("delivery_files")
    .set({ state: "Waiting", attempts: 0, target_path: null, resume: null, error_message: null })
    .set({ updated_at: sql<string>`now()` })
    .where("delivery_id", "=", id)
    .$if(kind === "postiz", (files) => files.where("state", "<>", "Delivered"))
    .execute();
  await countFiles(trx, id);
}

/** Like postponeAttempt. */
export function postponeDelivery(
  context: Pick<Context, "db" | "queue">,
  task: AttemptClaim,
  failure: Failure,
  wait: Wait | null,
): Promise<boolean> {
  return context.db
    .transaction()
    .execute((trx) => postponeAttempt(context, trx, "deliveries", task, { failure, wait }));
}

/** Returns false for a stale attempt. */
export async function failDelivery(
  { db }: Pick<Context, "db">,
  { taskId, attempt }: AttemptRef,
  reason: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("deliveries")
    .set(failed(reason))
    .where("id", "=", taskId)
    .where("status", "=", "Processing")
    .where("attempts", "=", attempt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Fails a delivery whose last attempt was lost with its worker. Returns false if it has ended or was retried since. */
export function endLostDelivery(
  context: Pick<Context, "db" | "queue">,
  { deliveryId }: Pick<DeliveryTask, "deliveryId">,
): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const open = await trx
      .selectFrom("deliveries")
      .select("id")
      .where("id", "=", deliveryId)
      .where("status", "in", OPEN_DELIVERY)
      .forUpdate()
      .executeTakeFirst();
    if (!open || (await context.queue.deliveries.isOpen(trx, deliveryId))) return false;
    await fail(trx, deliveryId, LOST);
    return true;
  });
}

const LOST = "The worker was killed in every attempt at this delivery. Retry it.";

async function fail(trx: Transaction<Tables>, id: string, reason: string): Promise<void> {
  await trx.updateTable("deliveries").set(failed(reason)).where("id", "=", id).execute();
}

function failed(reason: string) {
  return {
    status: "Failed",
    stage: null,
    error_message: reason,
    ended_at: sql<string>`now()`,
    updated_at: sql<string>`now()`,
  } as const;
}

/** Returns the attempts whose delivery has ended, was deleted, or belongs to a later attempt. */
export async function findStoppedDeliveries<Attempt extends { deliveryId: string; attempt: number }>(
  { db }: Pick<Context, "db">,
  attempts: readonly Attempt[],
): Promise<Set<Attempt>> {
  const running = await db
    .selectFrom("deliveries")
    .select(["id", "attempts"])
    .where(
      "id",
      "in",
      attempts.map(({ deliveryId }) => deliveryId),
    )
    .where("status", "in", OPEN_DELIVERY)
    .execute();
  const latest = new Map(running.map((delivery) => [delivery.id, delivery.attempts]));
  return new Set(attempts.filter(({ deliveryId, attempt }) => (latest.get(deliveryId) ?? Infinity) > attempt));
}
