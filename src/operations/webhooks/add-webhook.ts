import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { addWebhookSchema, type NewSecretResponse, WEBHOOK_LIMITS } from "#contract/webhooks/webhooks.ts";
import { lockChanges } from "#database/lock-changes.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { requireAllowedUrl } from "./require-allowed-url.ts";
import { readWebhook } from "./select-webhooks.ts";
import { makeWebhookSecret, sealWebhookSecrets } from "./webhook-secret.ts";

/** Returns the secret only here. Throws ClipmillError "invalid", or "too_many" at the limit. */
export async function addWebhook(
  context: Pick<Context, "db" | "secrets" | "privateWebhooks"> & ActorContext,
  body: unknown,
): Promise<NewSecretResponse> {
  const { url, events, enabled } = parseInput(addWebhookSchema, body);
  requireAllowedUrl(context, url);
  const id = randomUUID();
  const secret = makeWebhookSecret();
  const sealed_secret = sealWebhookSecrets(context, id, { current: secret, previous: null });
  await context.db.transaction().execute(async (trx) => {
    // Concurrent requests must not exceed the limit.
    await lockChanges(trx, "webhooks");
    const { count } = await trx
      .selectFrom("webhooks")
      .select(sql<number>`count(*)::int`.as("count"))
      .executeTakeFirstOrThrow();
    if (count >= WEBHOOK_LIMITS.webhooks) {
      throw new ClipmillError("too_many", "There can be at most 20 webhooks. Delete one that is not used.");
    }
    await trx.insertInto("webhooks").values({ id, url, events, enabled, sealed_secret }).execute();
    await writeAudit(trx, context.actor, { action: "webhooks.add", subjects: [id] });
  });
  const data = await readWebhook(context, id);
  if (!data) throw webhookGone();
  return { data, secret };
}

export function webhookGone(): ClipmillError {
  return new ClipmillError("not_found", "This webhook no longer exists.");
}
