import type {
  Attempt,
  WebhookDelivery,
  WebhookDeliveryStatus,
  EventType,
  SentType,
  Webhook,
} from "#contract/webhooks/webhooks.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";

export const EVENT_LABELS: Record<EventType, string> = {
  "job.started": "Job started",
  "job.proof_ready": "Job needs approval",
  "job.completed": "Job completed",
  "job.failed": "Job failed",
  "job.cancelled": "Job cancelled",
  "output.completed": "File finished",
  published: "Routes published",
};

const STATUS_WORDS: Record<WebhookDeliveryStatus, string> = {
  pending: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
};

export function labelOf(type: SentType): string {
  return type === "test" ? "Test" : EVENT_LABELS[type];
}

/** Explains why Clipmill turned the webhook off or what needs attention; null if nothing. */
export function explainTrouble(webhook: Webhook): string | null {
  if (webhook.needs_secret) return "The saved secret cannot be decrypted, so nothing is sent. Rotate the secret.";
  if (webhook.disabled_reason === "gone") return "Turned off: the receiver returned 410 (Gone).";
  if (webhook.disabled_reason === "failing") return "Turned off: no delivery has succeeded in three days.";
  if (webhook.enabled && webhook.failing_since !== null) {
    return `Deliveries have been failing since ${formatShortDate(webhook.failing_since)}. Clipmill keeps trying.`;
  }
  return null;
}

/** Returns, for example, "Delivered Nov 23, 02:31". */
export function describeLast({ last_delivery: last }: Pick<Webhook, "last_delivery">): string {
  if (last === null) return "Nothing sent yet";
  return `${labelOf(last.type)}: ${STATUS_WORDS[last.status].toLowerCase()}, ${formatShortDate(last.created_at)}`;
}

export function describeAttempt({ status, milliseconds, error }: Omit<Attempt, "answer">): string {
  const seconds = `${(milliseconds / 1_000).toFixed(milliseconds < 1_000 ? 2 : 1)} s`;
  return error === null ? `Returned ${status} in ${seconds}` : `${error.replace(/\.$/, "")} (${seconds})`;
}

export function describeDelivery(delivery: WebhookDelivery): string {
  const { status, last_attempt: last, attempts, next_attempt_at: next } = delivery;
  const result = last === null ? unsent(status) : describeAttempt(last);
  if (status !== "pending" || next === null || last === null) return result;
  return `${result}. Attempt ${attempts + 1} of 10: ${formatShortDate(next)}`;
}

function unsent(status: WebhookDeliveryStatus): string {
  return status === "failed" ? "Not sent" : "Not sent yet";
}

export function formatBody(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
