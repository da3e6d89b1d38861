import type { z } from "zod";
import { sql } from "kysely";
import type { changeWebhookSchema, Webhook } from "#contract/webhooks/webhooks.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { endSendingsOf } from "../outgoing/end-sendings.ts";
import { webhookGone } from "./add-webhook.ts";
import { requireAllowedUrl } from "./require-allowed-url.ts";
import { readWebhook } from "./select-webhooks.ts";

/** Changes given fields. Turning a webhook off ends its sendings. Throws ClipmillError "invalid" or "not_found". */
export async function changeWebhook(
  context: Pick<Context, "db" | "secrets" | "privateWebhooks"> & ActorContext,
  { id, url, events, enabled }: z.output<typeof changeWebhookSchema>,
): Promise<Webhook> {
  if (url !== undefined) requireAllowedUrl(context, url);
  await context.db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable("webhooks")
      .set({
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events }),
        ...(enabled !== undefined && { enabled, disabled_reason: null }),
        // It has as long as a new webhook to succeed.
        ...(enabled && { failing_since: null }),
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", id)
      .returning("id")
      .executeTakeFirst();
    if (!changed) throw webhookGone();
    if (enabled === false) await endSendingsOf(trx, id);
    await writeAudit(trx, context.actor, { action: "webhooks.change", subjects: [id] });
  });
  const webhook = await readWebhook(context, id);
  if (!webhook) throw webhookGone();
  return webhook;
}
