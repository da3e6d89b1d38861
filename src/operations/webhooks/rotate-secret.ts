import type { z } from "zod";
import { sql } from "kysely";
import type { webhookIdSchema } from "#contract/webhooks/webhook-requests.ts";
import { type NewSecretResponse, WEBHOOK_LIMITS } from "#contract/webhooks/webhooks.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { webhookGone } from "./add-webhook.ts";
import { readWebhook } from "./select-webhooks.ts";
import { makeWebhookSecret, openWebhookSecrets, sealWebhookSecrets } from "./webhook-secret.ts";

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
