import {
  type ExpressionBuilder,
  type ExpressionWrapper,
  type Kysely,
  type RawBuilder,
  sql,
  type SqlBool,
} from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";

/** Ten attempts take at most this long. Until then, the mail server was unreachable or not configured. */
const MAX_MAIL_AGE_HOURS = 84;

type Filter = (
  eb: ExpressionBuilder<Tables, "outgoing_deliveries">,
) => ExpressionWrapper<Tables, "outgoing_deliveries", SqlBool>;

/** Their tasks then do nothing. An attempt in flight still finishes and counts if it succeeds. */
export async function endSendings(db: Kysely<Tables>, where: Filter): Promise<void> {
  await db
    .updateTable("outgoing_deliveries")
    .set({ status: "failed" })
    .where("status", "=", "pending")
    .where(where)
    .execute();
}

/** Requires the lock of the webhook, which is turned off. */
export async function endSendingsOf(trx: Kysely<Tables>, webhookId: string): Promise<void> {
  await endSendings(trx, (eb) => eb.and([eb("webhook_id", "=", webhookId), eb("is_test", "=", false)]));
}

/** Servers without a mail server do not send them. */
export async function endOutdatedMails({ db, queue }: Pick<Context, "db" | "queue">): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable("outgoing_deliveries")
      .set({ status: "failed" })
      .where("webhook_id", "is", null)
      .where("status", "=", "pending")
      .where(isOutdated())
      .returning("id")
      .execute();
    await queue.mails.cancelWaiting(
      trx,
      ended.map(({ id }) => id),
    );
  });
}

export function isOutdated(): RawBuilder<boolean> {
  return sql<boolean>`outgoing_deliveries.created_at <= now() - make_interval(hours => ${MAX_MAIL_AGE_HOURS})`;
}
