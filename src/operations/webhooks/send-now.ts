import { sql, type Transaction } from "kysely";
import type { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import {
  type deliveryIdSchema,
  type EventBody,
  type NewSecretResponse,
  WEBHOOK_LIMITS,
  type webhookIdSchema,
  type WholeWebhookDelivery,
} from "#contract/webhooks/webhooks.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { enqueueSendings } from "../outgoing/write-event.ts";
import { webhookGone } from "./add-webhook.ts";
import { readSending, sendingGone } from "./read-sendings.ts";
import { readWebhook } from "./select-webhooks.ts";
import { makeWebhookSecret, openWebhookSecrets, sealWebhookSecrets } from "./webhook-secret.ts";

/** Longer than an attempt. */
const MAX_WAIT_MS = 20_000;
const POLL_INTERVAL_MS = 50;

type Sending = Pick<Context, "db" | "queue"> & ActorContext;

/**
 * Tests even a webhook that is turned off, once. Returns the sending after its attempt, or as it is after 20 s. Throws
 * ClipmillError "not_found".
 */
export async function testWebhook(
  context: Sending,
  { id }: z.output<typeof webhookIdSchema>,
): Promise<WholeWebhookDelivery> {
  const sendingId = await context.db.transaction().execute(async (trx) => {
    await lockWebhook(trx, id);
    const event: EventBody = { type: "test", timestamp: new Date().toISOString(), data: { webhook_id: id } };
    const { id: event_id } = await trx
      .insertInto("outgoing_events")
      .values({ type: event.type, body: JSON.stringify(event) })
      .returning("id")
      .executeTakeFirstOrThrow();
    return enqueue(context, trx, "webhooks.test", { webhook_id: id, event_id, is_test: true });
  });
  return awaitAttempt(context, id, sendingId);
}

/**
 * Sends a logged event again, with its id and retries. Returns like testWebhook. Throws ClipmillError "not_found",
 * or "conflict" for a webhook that is turned off.
 */
export async function replayEvent(
  context: Sending,
  { id, delivery_id: loggedId }: z.output<typeof deliveryIdSchema>,
): Promise<WholeWebhookDelivery> {
  const sendingId = await context.db.transaction().execute(async (trx) => {
    if (!(await lockWebhook(trx, id)).enabled) {
      throw new ClipmillError("conflict", "This webhook is turned off. Turn it on, then replay.");
    }
    const logged = await trx
      .selectFrom("outgoing_deliveries")
      .select(["event_id", "is_test"])
      .where("id", "=", loggedId)
      .where("webhook_id", "=", id)
      .forKeyShare()
      .executeTakeFirst();
    if (!logged) throw sendingGone();
    return enqueue(context, trx, "webhooks.replay", { webhook_id: id, ...logged });
  });
  return awaitAttempt(context, id, sendingId);
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
  context: Pick<Context, "queue"> & ActorContext,
  trx: Transaction<Tables>,
  action: string,
  sending: { webhook_id: string; event_id: string; is_test: boolean },
): Promise<string> {
  const { id } = await trx.insertInto("outgoing_deliveries").values(sending).returning("id").executeTakeFirstOrThrow();
  await writeAudit(trx, context.actor, { action, subjects: [sending.webhook_id] });
  await enqueueSendings(context, trx, [{ id, webhookId: sending.webhook_id }]);
  return id;
}

async function awaitAttempt(
  context: Pick<Context, "db">,
  id: string,
  sendingId: string,
): Promise<WholeWebhookDelivery> {
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const sending = await readSending(context, { id, delivery_id: sendingId });
    if (sending.attempts.length > 0 || performance.now() > deadlineMs) return sending;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

/**
 * Returns the new secret only here. For 24 hours, requests are also signed with the previous one. Throws ClipmillError
 * "not_found".
 */
export async function rotateSecret(
  context: Pick<Context, "db" | "secrets"> & ActorContext,
  { id }: z.output<typeof webhookIdSchema>,
): Promise<NewSecretResponse> {
  const secret = makeWebhookSecret();
  await context.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("webhooks")
      .select(["id", "sealed_secret"])
      .where("id", "=", id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!row) throw webhookGone();
    const previous = openWebhookSecrets(context, row)?.current ?? null;
    await trx
      .updateTable("webhooks")
      .set({
        sealed_secret: sealWebhookSecrets(context, id, { current: secret, previous }),
        previous_secret_until: sql<string>`now() + make_interval(hours => ${WEBHOOK_LIMITS.rotationHours})`,
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", id)
      .execute();
    await writeAudit(trx, context.actor, { action: "webhooks.rotate", subjects: [id] });
  });
  const data = await readWebhook(context, id);
  if (!data) throw webhookGone();
  return { data, secret };
}
