import type { z } from "zod";
import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { deliveryIdSchema, webhookIdSchema } from "#contract/webhooks/webhook-requests.ts";
import type { EventBody, WholeWebhookDelivery } from "#contract/webhooks/webhooks.ts";
import type { Tables } from "#database/tables.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { notifyDeliveries } from "../outgoing/write-event.ts";
import { webhookGone } from "./add-webhook.ts";
import { deliveryGone, readDelivery } from "./read-deliveries.ts";

/** Longer than an attempt. */
const MAX_WAIT_MS = 20_000;
const POLL_INTERVAL_MS = 50;

type Sending = Pick<Context, "db"> & ActorContext;

/**
 * Tests even a webhook that is turned off, once. Returns the delivery after its attempt, or as it is after 20 s. Throws
 * ClipmillError "not_found".
 */
export async function testWebhook(
  context: Sending,
  { id }: z.output<typeof webhookIdSchema>,
): Promise<WholeWebhookDelivery> {
  const deliveryId = await context.db.transaction().execute(async (trx) => {
    await lockWebhook(trx, id);
    const event: EventBody = { type: "test", timestamp: new Date().toISOString(), data: { webhook_id: id } };
    const { id: event_id } = await trx
      .insertInto("outgoing_events")
      .values({ type: event.type, body: JSON.stringify(event) })
      .returning("id")
      .executeTakeFirstOrThrow();
    return enqueue(context, trx, "webhooks.test", { webhook_id: id, event_id, is_test: true });
  });
  return awaitAttempt(context, id, deliveryId);
}

/**
 * Delivers a logged event again, with its id and retries. Returns like testWebhook. Throws ClipmillError "not_found",
 * or "conflict" for a webhook that is turned off.
 */
export async function replayDelivery(
  context: Sending,
  { id, delivery_id: logged }: z.output<typeof deliveryIdSchema>,
): Promise<WholeWebhookDelivery> {
  const deliveryId = await context.db.transaction().execute(async (trx) => {
    if (!(await lockWebhook(trx, id)).enabled) {
      throw new ClipmillError("conflict", "This webhook is turned off. Turn it on, then replay.");
    }
    const delivery = await trx
      .selectFrom("outgoing_deliveries")
      .select(["event_id", "is_test"])
      .where("id", "=", logged)
      .where("webhook_id", "=", id)
      .forKeyShare()
      .executeTakeFirst();
    if (!delivery) throw deliveryGone();
    return enqueue(context, trx, "webhooks.replay", { webhook_id: id, ...delivery });
  });
  return awaitAttempt(context, id, deliveryId);
}

async function lockWebhook(trx: Transaction<Tables>, id: string): Promise<{ enabled: boolean }> {
  const webhook = await trx
    .selectFrom("webhooks")
    .select("enabled")
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirst();
  if (!webhook) throw webhookGone();
  return webhook;
}

async function enqueue(
  { actor }: ActorContext,
  trx: Transaction<Tables>,
  action: string,
  delivery: { webhook_id: string; event_id: string; is_test: boolean },
): Promise<string> {
  const { id } = await trx.insertInto("outgoing_deliveries").values(delivery).returning("id").executeTakeFirstOrThrow();
  await writeAudit(trx, actor, { action, subjects: [delivery.webhook_id] });
  await notifyDeliveries(trx);
  return id;
}

async function awaitAttempt(
  context: Pick<Context, "db">,
  id: string,
  deliveryId: string,
): Promise<WholeWebhookDelivery> {
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const delivery = await readDelivery(context, { id, delivery_id: deliveryId });
    if (delivery.attempts.length > 0 || performance.now() > deadlineMs) return delivery;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}
