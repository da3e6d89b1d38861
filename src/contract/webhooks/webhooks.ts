/** Follows standardwebhooks.com. */

/** On the wire and stored; never rename one. */
export const EVENT_TYPES = [
  "job.started",
  "job.proof_ready",
  "job.completed",
  "job.failed",
  "job.cancelled",
  "output.completed",
  "published",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Only the action test sends "test"; nobody subscribes to it. */
export type SentType = EventType | "test";

export const MAILED_EVENTS = ["job.proof_ready", "job.completed", "job.failed"] as const satisfies EventType[];

/** Key in an account's metadata; true turns mail on. */
export const MAIL_PREFERENCE = "mail_on_job_end";

export type EventBody = { type: SentType; timestamp: string; data: Record<string, unknown> };

export type JobEventData = {
  job_id: string;
  job_name: string;
  status: string;
  total_videos: number;
  /** Finished files, or the samples of job.proof_ready. */
  files: number;
  /** At most 1,000 characters. */
  error_message: string | null;
};

export type OutputEventData = {
  job_id: string;
  job_name: string;
  output_id: string;
  name: string;
  position: number;
  variant: number;
  segment: number;
  duration_seconds: number | null;
  width: number | null;
  height: number | null;
  size_bytes: number | null;
  sha256: string | null;
};

export type PublishedEventData = { version: number; routes: number };

/** "gone": answered 410. "failing": all attempts failed for three days. */
export type DisabledReason = "gone" | "failing";

/** The secret is returned only when created. */
export type Webhook = {
  id: string;
  url: string;
  events: EventType[];
  enabled: boolean;
  disabled_reason: DisabledReason | null;
  /** No delivery has succeeded since; null unless the last one failed. */
  failing_since: string | null;
  /** Until then, the secret before the last rotation also signs. */
  previous_secret_until: string | null;
  /** The saved secret cannot be decrypted: rotate it. */
  needs_secret: boolean;
  pending: number;
  last_delivery: Pick<WebhookDelivery, "id" | "type" | "status" | "created_at"> | null;
  created_at: string;
  updated_at: string;
};

export type WebhookDeliveryStatus = "pending" | "delivered" | "failed";

export type Attempt = {
  at: string;
  /** Null without a response. */
  status: number | null;
  milliseconds: number;
  /** The beginning of the response body. */
  answer: string | null;
  /** Null if it succeeded. */
  error: string | null;
};

/** An event for one webhook. `event_id` is the header webhook-id, the same for every attempt and replay. */
export type WebhookDelivery = {
  id: string;
  event_id: string;
  type: SentType;
  status: WebhookDeliveryStatus;
  attempts: number;
  last_attempt: Omit<Attempt, "answer"> | null;
  next_attempt_at: string | null;
  created_at: string;
};

/** `body` is sent byte for byte. */
export type WholeWebhookDelivery = Omit<WebhookDelivery, "attempts"> & { body: string; attempts: Attempt[] };

export type WebhooksResponse = { data: Webhook[] };
export type WebhookResponse = { data: Webhook };
export type NewSecretResponse = { data: Webhook; secret: string };
export type WebhookDeliveriesResponse = { data: WebhookDelivery[] };
export type WebhookDeliveryResponse = { data: WholeWebhookDelivery };

export const WEBHOOK_LIMITS = {
  webhooks: 20,
  urlCharacters: 2_000,
  bodyBytes: 20_000,
  attempts: 10,
  listed: 100,
  /** How long a secret signs after its rotation. */
  rotationHours: 24,
} as const;

/** Returns a sentence, or null. */
export function faultOfWebhookUrl(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) return "Enter an address that starts with https://.";
  if (text.length > WEBHOOK_LIMITS.urlCharacters) return "The address can have at most 2,000 characters.";
  if (url.username || url.password) return "The address must not contain a username or password.";
  return url.hash ? "The address must not contain #." : null;
}
