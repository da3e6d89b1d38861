import { sql, type Transaction } from "kysely";
import type { Attempt, DisabledReason } from "#contract/webhooks/webhooks.ts";
import type { Tables } from "#database/tables.ts";
import { CLIPMILL } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { type DeliveryClock, deliveryTime } from "./delivery-clock.ts";

/** Seconds after each failed attempt, as the specification recommends: ten attempts over 75 hours. */
const DELAYS = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600];
/** Up to a tenth more, so that a receiver that is back is not flooded. */
const JITTER = 0.1;

const GONE = 410;
/** A webhook is turned off when a delivery has used up its attempts and none has succeeded for this long. */
const FAILING_DAYS = 3;

/** May turn off the webhook. Ignores a failure if another server has taken over; a success always counts. */
export async function recordAttempt(
  { db }: Pick<Context, "db">,
  clock: DeliveryClock,
  claim: { id: string; number: number },
  attempt: Attempt,
): Promise<void> {
  const isDelivered = attempt.error === null;
  await db.transaction().execute(async (trx) => {
    const delivery = await trx
      .selectFrom("outgoing_deliveries")
      .select(["webhook_id", "is_test", "claims", sql<number>`jsonb_array_length(attempts)`.as("made")])
      .where("id", "=", claim.id)
      .where("status", "=", "pending")
      .forUpdate()
      .executeTakeFirst();
    if (!delivery || (!isDelivered && delivery.claims !== claim.number)) return;
    const { webhook_id: webhookId, is_test: isTest, made } = delivery;
    const isOver = isTest || attempt.status === GONE;
    const delay = isDelivered || isOver ? null : retryDelaySeconds(made + 1);
    const ended = isDelivered ? "delivered" : "failed";
    await trx
      .updateTable("outgoing_deliveries")
      .set({
        attempts: sql<string>`attempts || ${JSON.stringify([attempt])}::jsonb`,
        claimed_until: null,
        ...(delay === null
          ? { status: ended }
          : { due_at: sql<string>`${deliveryTime(clock)} + make_interval(secs => ${delay})` }),
      })
      .where("id", "=", claim.id)
      .execute();
    if (webhookId === null) return;
    if (attempt.status === GONE) await disable(trx, webhookId, "gone");
    else if (!isTest) await noteHealth(trx, webhookId, { isDelivered, isLast: delay === null, at: attempt.at });
  });
}

async function noteHealth(
  trx: Transaction<Tables>,
  webhookId: string,
  { isDelivered, isLast, at }: { isDelivered: boolean; isLast: boolean; at: string },
): Promise<void> {
  const webhook = trx.updateTable("webhooks").where("id", "=", webhookId);
  if (isDelivered) {
    await webhook.set({ failing_since: null }).where("failing_since", "is not", null).execute();
    return;
  }
  await webhook.set({ failing_since: at }).where("failing_since", "is", null).execute();
  if (!isLast) return;
  const failing = await trx
    .selectFrom("webhooks")
    .select("id")
    .where("id", "=", webhookId)
    .where("failing_since", "<", sql<string>`${at}::timestamptz - make_interval(days => ${FAILING_DAYS})`)
    .executeTakeFirst();
  if (failing) await disable(trx, webhookId, "failing");
}

async function disable(trx: Transaction<Tables>, webhookId: string, reason: DisabledReason): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("webhooks")
    .set({ enabled: false, disabled_reason: reason, updated_at: sql<string>`now()` })
    .where("id", "=", webhookId)
    .where("enabled", "=", true)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await writeAudit(trx, CLIPMILL, { action: "webhooks.disable", subjects: [webhookId] });
}

function retryDelaySeconds(made: number, random = Math.random()): number | null {
  const delay = DELAYS[made - 1];
  return delay === undefined ? null : delay * (1 + JITTER * random);
}
