import { type RawBuilder, sql, type Transaction } from "kysely";
import { type EventBody, type EventType, MAIL_PREFERENCE, MAILED_EVENTS } from "#contract/webhooks/webhooks.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";

type OutgoingEvent = EventBody & { type: EventType; jobId: string | null };

/** The joined account has email notifications on. */
const wantsMail = sql<boolean>`(
  accounts.disabled_at is null and accounts.user_metadata -> ${MAIL_PREFERENCE} = 'true'::jsonb)`;

/** True if a webhook subscribes to the type. For queries that run anyway. */
export function isWantedByWebhook(type: EventType): RawBuilder<boolean> {
  return sql<boolean>`exists (select from webhooks where webhooks.enabled and ${type} = any(webhooks.events))`;
}

/** In queries on `jobs`, whose creator may want the event by mail. */
export function isWanted(type: EventType): RawBuilder<boolean> {
  if (!isMailed(type)) return isWantedByWebhook(type);
  return sql<boolean>`(${isWantedByWebhook(type)} or exists (
    select from accounts where accounts.id = jobs.created_by and ${wantsMail}))`;
}

function isMailed(type: EventType): boolean {
  return MAILED_EVENTS.some((mailed) => mailed === type);
}

/**
 * Sends an event to each subscribed webhook and, once per job and type, by email to the job's creator if they want it.
 * Without either, writes nothing. Call it in the transaction of the reported change, with the job locked.
 */
export async function writeEvent(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  { jobId, ...event }: OutgoingEvent,
): Promise<void> {
  const { type, timestamp, data } = event;
  const body = JSON.stringify({ type, timestamp, data } satisfies EventBody);
  // The lock keeps a webhook that is being deleted from failing this transaction: it waits, then finds none.
  const { rows } = await sql<{ id: string; webhookId: string | null }>`
    with hooks as (
      select id from webhooks where enabled and ${type} = any(events) for key share
    ), readers as (
      select accounts.id from jobs join accounts on accounts.id = jobs.created_by
      where jobs.id = ${jobId}::uuid and ${isMailed(type)}::boolean and ${wantsMail} and not exists (
        select from outgoing_deliveries join outgoing_events on outgoing_events.id = event_id
        where account_id = accounts.id and job_id = jobs.id and type = ${type})
    ), targets as (
      select id as webhook_id, null::uuid as account_id from hooks union all select null, id from readers
    ), event as (
      insert into outgoing_events (type, body, job_id)
      select ${type}, ${body}, ${jobId}::uuid where exists (select from targets) returning id
    )
    insert into outgoing_deliveries (event_id, webhook_id, account_id)
    select event.id, webhook_id, account_id from event, targets returning id, webhook_id as "webhookId"`.execute(trx);
  await enqueueSendings(context, trx, rows);
}

/** The queue's commit also wakes the servers. Ignores sendings that are in the queue. */
export async function enqueueSendings(
  { queue }: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  sendings: readonly { id: string; webhookId: string | null; dueAt?: string }[],
): Promise<void> {
  const toWebhooks = [];
  const mails = [];
  for (const { id: sendingId, webhookId, ...due } of sendings) {
    if (webhookId === null) mails.push({ sendingId, ...due });
    else toWebhooks.push({ sendingId, webhookId, ...due });
  }
  if (toWebhooks.length > 0) await queue.webhooks.enqueue(trx, toWebhooks);
  if (mails.length > 0) await queue.mails.enqueue(trx, mails);
}

/** For events of earlier versions, and of their backups, which had no tasks. Has no effect on others. */
export async function enqueuePending(context: Pick<Context, "db" | "queue">): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const pending = await trx
      .selectFrom("outgoing_deliveries")
      .select(["id", "webhook_id as webhookId", "due_at as dueAt"])
      .where("status", "=", "pending")
      .orderBy("due_at")
      .execute();
    await enqueueSendings(context, trx, pending);
  });
}
