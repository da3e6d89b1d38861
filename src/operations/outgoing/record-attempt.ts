import { sql, type Transaction } from "kysely";
import type { Attempt, DisabledReason } from "#contract/webhooks/webhooks.ts";
import type { Tables } from "#database/tables.ts";
import type { Claimed, MailTask } from "#queue/open-queue.ts";
import { CLIPMILL, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { endSendingsOf } from "./end-sendings.ts";

/** Seconds after each failed attempt, as the specification recommends: ten attempts over 75 hours. */
const DELAYS = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600];
/** Up to a tenth more, so that a receiver that is back is not flooded. */
const JITTER = 0.1;

const GONE = 410;
/** A webhook is turned off when an event has used up its attempts and none has succeeded for this long. */
const FAILING_DAYS = 3;

/** May turn off the webhook. Ignores a failure if another server has taken over; a success always counts. */
export async function recordAttempt(
  { db, queue }: Pick<Context, "db" | "queue">,
  name: "webhooks" | "mails",
  { sendingId, ...numbering }: Claimed<MailTask>,
  attempt: Attempt,
): Promise<void> {
  const task = { id: sendingId, ...numbering };
  const isSent = attempt.error === null;
  await db.transaction().execute(async (trx) => {
    const { webhook_id: webhookId } = await lockWebhookOf(trx, sendingId);
    const sending = await trx
      .selectFrom("outgoing_deliveries")
      .select(["is_test", "status", sql<number>`jsonb_array_length(attempts)`.as("made")])
      .where("id", "=", sendingId)
      .where("status", "<>", "delivered")
      .forUpdate()
      .executeTakeFirst();
    if (!sending || (!isSent && !(await queue[name].isClaimed(trx, task)))) return;
    const { is_test: isTest, status, made } = sending;
    const isOver = isTest || status === "failed" || attempt.status === GONE;
    const delay = isSent || isOver ? null : retryDelaySeconds(made + 1);
    const ended = isSent ? "delivered" : "failed";
    await trx
      .updateTable("outgoing_deliveries")
      .set({
        attempts: sql<string>`attempts || ${JSON.stringify([attempt])}::jsonb`,
        ...(delay === null ? { status: ended } : { due_at: sql<string>`now() + make_interval(secs => ${delay})` }),
      })
      .where("id", "=", sendingId)
      .execute();
    if (delay !== null) await queue[name].putBack(trx, task, { waitSeconds: delay });
    if (webhookId === null) return;
    if (attempt.status === GONE) await disable(trx, webhookId, "gone");
    else if (!isTest) await noteHealth(trx, webhookId, { isSent, isLast: delay === null, at: attempt.at });
  });
}

/** First, as in a change of the webhook, which then ends its sendings: in another order, the two could deadlock. */
async function lockWebhookOf(trx: Transaction<Tables>, sendingId: string): Promise<{ webhook_id: string | null }> {
  const locked = await trx
    .selectFrom("webhooks")
    .select("id as webhook_id")
    .where("id", "=", (eb) => eb.selectFrom("outgoing_deliveries").select("webhook_id").where("id", "=", sendingId))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked ?? { webhook_id: null };
}

async function noteHealth(
  trx: Transaction<Tables>,
  webhookId: string,
  { isSent, isLast, at }: { isSent: boolean; isLast: boolean; at: string },
): Promise<void> {
  const webhook = trx.updateTable("webhooks").where("id", "=", webhookId);
  if (isSent) {
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
  await endSendingsOf(trx, webhookId);
  if (numUpdatedRows > 0n) await writeAudit(trx, CLIPMILL, { action: "webhooks.disable", subjects: [webhookId] });
}

function retryDelaySeconds(made: number, random = Math.random()): number | null {
  const delay = DELAYS[made - 1];
  return delay === undefined ? null : delay * (1 + JITTER * random);
}
