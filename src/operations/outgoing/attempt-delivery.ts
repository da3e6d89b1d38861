import type { Attempt } from "#contract/webhooks/webhooks.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Mailer } from "#integrations/mail.ts";
import { sendWebhook } from "#integrations/send-webhook.ts";
import type { Context } from "../context.ts";
import { openWebhookSecrets } from "../webhooks/webhook-secret.ts";
import { type ClaimedMail, type ClaimedWebhook, releaseDelivery } from "./claim-deliveries.ts";
import { composeJobMail } from "./compose-job-mail.ts";
import type { DeliveryClock } from "./delivery-clock.ts";
import { recordAttempt } from "./record-attempt.ts";
import { signEvent } from "./sign-event.ts";

type Outcome = Omit<Attempt, "at" | "milliseconds">;

const NO_SECRET: Outcome = {
  status: null,
  answer: null,
  error: "The secret cannot be decrypted, so nothing was sent. Rotate it.",
};

/** If `signal` aborts, records nothing; the delivery is handed out again. */
export async function attemptWebhook(
  context: Pick<Context, "db" | "secrets" | "privateWebhooks">,
  clock: DeliveryClock,
  claim: ClaimedWebhook,
  signal: AbortSignal,
): Promise<void> {
  const send = async (): Promise<Outcome> => {
    const { webhookId: id, sealedSecret: sealed_secret, url, body, eventId } = claim;
    const secrets = openWebhookSecrets(context, { id, sealed_secret });
    if (!secrets) return NO_SECRET;
    const { current, previous } = secrets;
    const signing = previous !== null && claim.hasPrevious ? [current, previous] : [current];
    const headers = signEvent({ id: eventId, body, at: new Date(claim.at) }, signing);
    return sendWebhook({ url, headers, body, allowed: context.privateWebhooks, signal });
  };
  try {
    await record(context, clock, claim, send);
  } catch (error) {
    if (!signal.aborted) throw error;
    await releaseDelivery(context, claim);
  }
}

export async function attemptMail(
  context: Pick<Context, "db">,
  clock: DeliveryClock,
  claim: ClaimedMail,
  { mailer, publicUrl }: { mailer: Mailer; publicUrl: string },
): Promise<void> {
  await record(context, clock, claim, async () => {
    try {
      await mailer.send(composeJobMail(claim.email, publicUrl, { id: claim.eventId, body: claim.body }));
      return { status: null, answer: null, error: null };
    } catch (error) {
      if (!(error instanceof ClipmillError)) throw error;
      return { status: null, answer: null, error: error.message };
    }
  });
}

async function record(
  context: Pick<Context, "db">,
  clock: DeliveryClock,
  claim: ClaimedWebhook | ClaimedMail,
  send: () => Promise<Outcome>,
): Promise<void> {
  const startedMs = performance.now();
  const outcome = await send();
  const milliseconds = Math.round(performance.now() - startedMs);
  await recordAttempt(context, clock, claim, { at: claim.at, milliseconds, ...outcome });
}
