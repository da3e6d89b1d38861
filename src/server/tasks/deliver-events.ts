import type { Database } from "#database/open-database.ts";
import { attemptMail, attemptWebhook } from "#operations/outgoing/attempt-delivery.ts";
import {
  claimMails,
  claimWebhooks,
  endUnsendable,
  isAnyPending,
  releaseClaimedDeliveries,
} from "#operations/outgoing/claim-deliveries.ts";
import type { DeliveryClock } from "#operations/outgoing/delivery-clock.ts";
import { DELIVERIES_CHANNEL } from "#operations/outgoing/write-event.ts";
import type { ServerContext } from "../server-context.ts";

/** Finds retries while deliveries are pending; new ones send a notice. */
const POLL_MS = 5_000;
/** Without pending deliveries; covers a missed notice. */
const QUIET_POLLS = 12;
/** At the same time, per server. */
const MAX_PER_WEBHOOK = 4;
const MAX_MAILS = 4;

type Delivering = Pick<ServerContext, "db" | "secrets" | "privateWebhooks" | "mailer" | "publicUrl" | "log">;

/** Any number of servers share the deliveries; they take over those of a killed one. */
export async function startDelivering(
  server: Delivering,
  database: Pick<Database, "isEmbedded" | "listen">,
  clock: DeliveryClock = () => 0,
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const inFlight = new Map<string, number>();
  const attempts = new Set<Promise<void>>();
  const mail = server.mailer && server.publicUrl ? { mailer: server.mailer, publicUrl: server.publicUrl } : null;
  let mailsInFlight = 0;
  let looking: Promise<void> | null = null;
  let looksAgain = false;
  let wasFailing = false;
  let mayBePending = true;
  let quietPolls = 0;

  function track(attempt: Promise<void>, onEnd: () => void): void {
    const tracked = attempt.catch(logFault).finally(() => {
      attempts.delete(tracked);
      onEnd();
      look();
    });
    attempts.add(tracked);
  }
  function logFault(error: unknown): void {
    server.log.error({ err: error }, "an event could not be delivered; retrying");
  }
  async function claim(): Promise<void> {
    const counts = Object.fromEntries(inFlight);
    for (const claimed of await claimWebhooks(server, clock, { most: MAX_PER_WEBHOOK, inFlight: counts })) {
      const { webhookId: id } = claimed;
      inFlight.set(id, (inFlight.get(id) ?? 0) + 1);
      track(attemptWebhook(server, clock, claimed, stopping.signal), () => {
        const left = inFlight.get(id)! - 1;
        if (left === 0) inFlight.delete(id);
        else inFlight.set(id, left);
      });
    }
    if (mail === null || mailsInFlight === MAX_MAILS) return;
    for (const claimed of await claimMails(server, clock, MAX_MAILS - mailsInFlight)) {
      mailsInFlight += 1;
      track(attemptMail(server, clock, claimed, mail), () => (mailsInFlight -= 1));
    }
  }
  async function claimUntilQuiet(): Promise<void> {
    try {
      do {
        looksAgain = false;
        await endUnsendable(server, clock);
        await claim();
        mayBePending = await isAnyPending(server, mail !== null);
      } while (looksAgain && !stopping.signal.aborted);
      wasFailing = false;
    } catch (error) {
      // Logged once per outage of the database.
      if (!wasFailing && !stopping.signal.aborted) logFault(error);
      wasFailing = true;
      mayBePending = true;
      // The next poll retries.
      looksAgain = false;
    }
  }
  function look(): void {
    if (stopping.signal.aborted) return;
    looksAgain = true;
    looking ??= claimUntilQuiet().finally(() => {
      looking = null;
      if (looksAgain) look();
    });
  }

  function poll(): void {
    if (!mayBePending && ++quietPolls < QUIET_POLLS) return;
    quietPolls = 0;
    look();
  }

  if (database.isEmbedded) await releaseClaimedDeliveries(server);
  const unlisten = await database.listen(DELIVERIES_CHANNEL, look, look);
  const polling = setInterval(poll, POLL_MS);
  look();
  return {
    async stop() {
      clearInterval(polling);
      stopping.abort();
      await unlisten();
      await looking;
      await Promise.all(attempts);
    },
  };
}
