import type { z } from "zod";
import type { webhookIdSchema } from "#contract/webhooks/webhooks.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";

/** Also deletes the log and pending sendings. A missing webhook counts as deleted. */
export async function removeWebhook(
  context: Pick<Context, "db"> & ActorContext,
  { id }: z.output<typeof webhookIdSchema>,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const webhook = await trx.selectFrom("webhooks").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
    if (!webhook) return;
    await writeAudit(trx, context.actor, { action: "webhooks.delete", subjects: [id] });
    await trx.deleteFrom("webhooks").where("id", "=", id).execute();
  });
}
