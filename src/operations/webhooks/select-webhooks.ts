import { type Kysely, sql } from "kysely";
import type { Webhook } from "#contract/webhooks/webhooks.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { openWebhookSecrets } from "./webhook-secret.ts";

export async function listWebhooks(context: Pick<Context, "db" | "secrets">): Promise<Webhook[]> {
  const rows = await selectWebhooks(context.db).execute();
  return rows.map((row) => toWebhook(context, row));
}

export async function readWebhook(context: Pick<Context, "db" | "secrets">, id: string): Promise<Webhook | null> {
  const row = await selectWebhooks(context.db).where("webhooks.id", "=", id).executeTakeFirst();
  return row ? toWebhook(context, row) : null;
}

function selectWebhooks(db: Kysely<Tables>) {
  return db
    .selectFrom("webhooks")
    .selectAll()
    .select([
      sql<number>`(select count(*)::int from outgoing_deliveries where webhook_id = webhooks.id and status = 'pending')`.as(
        "pending",
      ),
      sql<Webhook["last_delivery"]>`(
        select jsonb_build_object('id', outgoing_deliveries.id, 'type', type, 'status', status, 'created_at', outgoing_deliveries.created_at)
        from outgoing_deliveries join outgoing_events on outgoing_events.id = event_id
        where webhook_id = webhooks.id order by outgoing_deliveries.created_at desc, outgoing_deliveries.id limit 1)`.as(
        "last_delivery",
      ),
      sql<boolean>`coalesce(previous_secret_until > now(), false)`.as("has_previous"),
    ])
    .orderBy("created_at")
    .orderBy("id");
}

type WebhookRow = Awaited<ReturnType<ReturnType<typeof selectWebhooks>["executeTakeFirstOrThrow"]>>;

function toWebhook(context: Pick<Context, "secrets">, { sealed_secret, has_previous, ...row }: WebhookRow): Webhook {
  return {
    ...row,
    previous_secret_until: has_previous ? row.previous_secret_until : null,
    needs_secret: openWebhookSecrets(context, { id: row.id, sealed_secret }) === null,
  };
}
