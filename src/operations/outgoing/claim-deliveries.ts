import { sql } from "kysely";
import type { SentType } from "#contract/webhooks/webhooks.ts";
import type { Context } from "../context.ts";
import { type DeliveryClock, deliveryTime } from "./delivery-clock.ts";

/** Longer than an attempt; a crashed server's delivery is then handed out again. */
const LEASE_SECONDS = 30;
/** Mail servers may take longer. */
const MAIL_LEASE_SECONDS = 180;
/** Ten attempts take at most this long. Until then, the mail server was unreachable or not configured. */
const MAX_MAIL_AGE_HOURS = 84;

/** `number` counts claims. */
type Claim = { id: string; number: number; eventId: string; type: SentType; body: string; at: string };
export type ClaimedWebhook = Claim & {
  webhookId: string;
  url: string;
  sealedSecret: string | null;
  hasPrevious: boolean;
};
export type ClaimedMail = Claim & { email: string };

/**
 * At most `most` of each webhook's deliveries are in flight, including `inFlight`: a slow webhook delays only itself.
 * Oldest first.
 */
export async function claimWebhooks(
  { db }: Pick<Context, "db">,
  clock: DeliveryClock,
  { most, inFlight }: { most: number; inFlight: Readonly<Record<string, number>> },
): Promise<ClaimedWebhook[]> {
  const now = deliveryTime(clock);
  const { rows } = await sql<ClaimedWebhook>`
    with due as (
      select picked.id from webhooks cross join lateral (
        select id from outgoing_deliveries
        where webhook_id = webhooks.id and status = 'pending' and due_at <= ${now}
          and (claimed_until is null or claimed_until <= ${now}) and (webhooks.enabled or is_test)
        order by due_at
        limit greatest(0, ${most}::int - coalesce((${JSON.stringify(inFlight)}::jsonb ->> webhooks.id::text)::int, 0))
        for update skip locked
      ) as picked
    )
    update outgoing_deliveries set claims = claims + 1, claimed_until = ${now} + make_interval(secs => ${LEASE_SECONDS})
    from due, webhooks, outgoing_events as event
    where outgoing_deliveries.id = due.id and webhooks.id = webhook_id and event.id = event_id
    returning outgoing_deliveries.id, claims as number, event_id as "eventId", event.type, body, ${now} as at,
      webhook_id as "webhookId", url, sealed_secret as "sealedSecret",
      coalesce(previous_secret_until > ${now}, false) as "hasPrevious"`.execute(db);
  return rows;
}

export async function claimMails(
  { db }: Pick<Context, "db">,
  clock: DeliveryClock,
  most: number,
): Promise<ClaimedMail[]> {
  const now = deliveryTime(clock);
  const { rows } = await sql<ClaimedMail>`
    with due as (
      select outgoing_deliveries.id from outgoing_deliveries
      where webhook_id is null and status = 'pending' and due_at <= ${now}
        and (claimed_until is null or claimed_until <= ${now})
      order by due_at limit ${most} for update skip locked
    )
    update outgoing_deliveries set claims = claims + 1, claimed_until = ${now} + make_interval(secs => ${MAIL_LEASE_SECONDS})
    from due, accounts, outgoing_events as event
    where outgoing_deliveries.id = due.id and accounts.id = outgoing_deliveries.account_id and event.id = event_id
    returning outgoing_deliveries.id, claims as number, event_id as "eventId", event.type, body, ${now} as at, email`.execute(
    db,
  );
  return rows;
}

/** Ends outdated emails, and deliveries of webhooks that are turned off. Attempts in flight finish. */
export async function endUnsendable({ db }: Pick<Context, "db">, clock: DeliveryClock): Promise<void> {
  const now = deliveryTime(clock);
  await sql`
    update outgoing_deliveries set status = 'failed', claimed_until = null
    where status = 'pending' and (claimed_until is null or claimed_until <= ${now}) and case
      when webhook_id is null then created_at <= ${now} - make_interval(hours => ${MAX_MAIL_AGE_HOURS})
      else not is_test and webhook_id in (select id from webhooks where not enabled)
    end`.execute(db);
}

/** Counts emails only if the server `hasMail`. */
export async function isAnyPending({ db }: Pick<Context, "db">, hasMail: boolean): Promise<boolean> {
  const { rows } = await sql<{ isAny: boolean }>`
    select exists (
      select from outgoing_deliveries where status = 'pending' and (webhook_id is not null or ${hasMail}::boolean)
    ) as "isAny"`.execute(db);
  return rows[0]!.isAny;
}

/** Only for the sole process on an embedded database, whose predecessor is dead. */
export async function releaseClaimedDeliveries({ db }: Pick<Context, "db">): Promise<void> {
  await db
    .updateTable("outgoing_deliveries")
    .set({ claimed_until: null })
    .where("claimed_until", "is not", null)
    .execute();
}

/** For an attempt cut off by a shutdown. */
export async function releaseDelivery({ db }: Pick<Context, "db">, { id, number }: Claim): Promise<void> {
  await db
    .updateTable("outgoing_deliveries")
    .set({ claimed_until: null })
    .where("id", "=", id)
    .where("claims", "=", number)
    .execute();
}
