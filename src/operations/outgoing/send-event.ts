import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { type Attempt, type EventBody, type JobEventData, MAILED_EVENTS } from "#contract/webhooks/webhooks.ts";
import type { Mail, Mailer } from "#integrations/mail.ts";
import { sendWebhook } from "#integrations/send-webhook.ts";
import { currentSpan } from "#ground/tracing/tracing.ts";
import type { Claimed, MailTask, WebhookTask } from "#queue/open-queue.ts";
import type { Context } from "../context.ts";
import { keyOfSecret, openWebhookSecrets } from "../webhooks/webhook-secret.ts";
import { endSendings, isOutdated } from "./end-sendings.ts";
import { recordAttempt } from "./record-attempt.ts";

type Outcome = Omit<Attempt, "at" | "milliseconds">;

const NO_SECRET: Outcome = {
  status: null,
  answer: null,
  error: "The secret cannot be decrypted, so nothing was sent. Rotate it.",
};

/** Makes one attempt, unless the sending has ended. Throws when the task's signal aborts. */
export async function sendToWebhook(
  context: Pick<Context, "db" | "queue" | "secrets" | "privateWebhooks">,
  task: Claimed<WebhookTask>,
): Promise<void> {
  const { db } = context;
  const sending = await selectSending(db, task.sendingId)
    .innerJoin("webhooks", "webhooks.id", "webhook_id")
    .select(["webhook_id", "url", "sealed_secret", "enabled", "is_test"])
    .select(sql<boolean>`coalesce(previous_secret_until > now(), false)`.as("hasPrevious"))
    .executeTakeFirst();
  if (!sending) return;
  // The event was written while the webhook was being turned off.
  if (!sending.enabled && !sending.is_test) return await endSendings(db, (eb) => eb("id", "=", task.sendingId));
  const { url, sealed_secret, body, eventId, at } = sending;
  await record(context, "webhooks", task, at, async () => {
    const secrets = openWebhookSecrets(context, { id: task.webhookId, sealed_secret });
    if (!secrets) return NO_SECRET;
    const { current, previous } = secrets;
    const signing = previous !== null && sending.hasPrevious ? [current, previous] : [current];
    const headers = signEvent({ id: eventId, body, at: new Date(at) }, signing);
    return await sendWebhook({ url, headers, body, allowed: context.privateWebhooks, signal: task.signal });
  });
}

/** Makes one attempt, unless the sending has ended or is outdated. */
export async function sendMail(
  context: Pick<Context, "db" | "queue">,
  task: Claimed<MailTask>,
  { mailer, publicUrl }: { mailer: Mailer; publicUrl: string },
): Promise<void> {
  const sending = await selectSending(context.db, task.sendingId)
    .innerJoin("accounts", "accounts.id", "account_id")
    .select(["email", isOutdated().as("isOutdated")])
    .executeTakeFirst();
  if (!sending) return;
  if (sending.isOutdated) return await endSendings(context.db, (eb) => eb("id", "=", task.sendingId));
  await record(context, "mails", task, sending.at, async () => {
    try {
      await mailer.send(composeJobMail(sending.email, publicUrl, { id: sending.eventId, body: sending.body }));
      return { status: null, answer: null, error: null };
    } catch (error) {
      if (!(error instanceof ClipmillError)) throw error;
      return { status: null, answer: null, error: error.message };
    }
  });
}

/** The database's clock dates attempts, because servers' clocks differ. */
function selectSending(db: Context["db"], id: string) {
  return db
    .selectFrom("outgoing_deliveries")
    .innerJoin("outgoing_events as event", "event.id", "event_id")
    .select(["event_id as eventId", "event.body", sql<string>`now()`.as("at")])
    .where("outgoing_deliveries.id", "=", id)
    .where("status", "=", "pending");
}

async function record(
  context: Pick<Context, "db" | "queue">,
  queue: "webhooks" | "mails",
  task: Claimed<MailTask>,
  at: string,
  send: () => Promise<Outcome>,
): Promise<void> {
  const startedMs = performance.now();
  const outcome = await send();
  const milliseconds = Math.round(performance.now() - startedMs);
  // The sentence may contain the receiver's address.
  if (outcome.error !== null) currentSpan()?.fail(outcome.status === null ? "network" : String(outcome.status), true);
  await recordAttempt(context, queue, task, { at, milliseconds, ...outcome });
}

/**
 * Signs with each secret (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md, "Signature
 * scheme"). The id names the event, not the attempt.
 */
export function signEvent(
  event: { id: string; body: string; at: Date },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(event.at.getTime() / 1_000));
  const signed = `${event.id}.${timestamp}.${event.body}`;
  const signatures = secrets.map((secret) => {
    const digest = createHmac("sha256", keyOfSecret(secret)).update(signed).digest("base64");
    return `v1,${digest}`;
  });
  return {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

type MailedType = (typeof MAILED_EVENTS)[number];

const ENDS: Record<MailedType, (files: string) => { subject: string; opening: string }> = {
  "job.completed": (files) => ({ subject: "completed", opening: `The job has completed with ${files}.` }),
  "job.failed": () => ({ subject: "failed", opening: "The job has failed." }),
  "job.proof_ready": (files) => ({
    subject: "needs approval",
    opening: `The samples of the job are ready: ${files}. Approve them to make the rest.`,
  }),
};

/** The message id is the event's: a repeated mail can be recognized. */
function composeJobMail(to: string, publicUrl: string, event: { id: string; body: string }): Mail {
  const { type, data } = JSON.parse(event.body) as EventBody & { type: MailedType; data: JobEventData };
  const name = data.job_name || `Job ${data.job_id.slice(0, 8)}`;
  const { subject, opening } = ENDS[type](data.files === 1 ? "1 file" : `${data.files.toLocaleString("en")} files`);
  const lines = [opening, data.error_message, `${publicUrl}/jobs/${data.job_id}`].filter(Boolean);
  const footer = "You receive this email because you turned it on in Settings → Account.";
  return {
    to,
    subject: `${name} ${subject}`.replaceAll(/\s+/g, " "),
    text: `${lines.join("\n\n")}\n\n${footer}\n`,
    messageId: `<${event.id}@${new URL(publicUrl).hostname}>`,
  };
}
