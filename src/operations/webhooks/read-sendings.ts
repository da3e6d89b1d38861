import type { z } from "zod";
import { type Kysely, sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import {
  type deliveryIdSchema,
  type webhookIdSchema,
  type WebhookDelivery,
  WEBHOOK_LIMITS,
  type WholeWebhookDelivery,
} from "#contract/webhooks/webhooks.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";

/** Returns the last 100, newest first. */
export async function listSendings(
  { db }: Pick<Context, "db">,
  { id }: z.output<typeof webhookIdSchema>,
): Promise<WebhookDelivery[]> {
  return selectSendings(db, id)
    .select([
      sql<number>`jsonb_array_length(attempts)`.as("attempts"),
      sql<WebhookDelivery["last_attempt"]>`(attempts -> -1) - 'answer'`.as("last_attempt"),
    ])
    .limit(WEBHOOK_LIMITS.listed)
    .execute();
}

/** Throws ClipmillError "not_found". */
export async function readSending(
  { db }: Pick<Context, "db">,
  { id, delivery_id: sendingId }: z.output<typeof deliveryIdSchema>,
): Promise<WholeWebhookDelivery> {
  const row = await selectSendings(db, id)
    .select(["attempts", "body", sql<WebhookDelivery["last_attempt"]>`(attempts -> -1) - 'answer'`.as("last_attempt")])
    .where("outgoing_deliveries.id", "=", sendingId)
    .executeTakeFirst();
  if (!row) throw sendingGone();
  return row;
}

export function sendingGone(): ClipmillError {
  return new ClipmillError("not_found", "This delivery is no longer in the log, which goes back 30 days.");
}

function selectSendings(db: Kysely<Tables>, webhookId: string) {
  return db
    .selectFrom("outgoing_deliveries")
    .innerJoin("outgoing_events", "outgoing_events.id", "event_id")
    .select(["outgoing_deliveries.id", "event_id", "type", "status", "outgoing_deliveries.created_at"])
    .select(sql<string | null>`case when status = 'pending' then due_at end`.as("next_attempt_at"))
    .where("webhook_id", "=", webhookId)
    .orderBy("outgoing_deliveries.created_at", "desc")
    .orderBy("outgoing_deliveries.id");
}
