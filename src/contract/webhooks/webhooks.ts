/** Webhooks: addresses that Clipmill calls when something happens (function webhooks, standardwebhooks.com). */

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

/** "test" is sent by the action test alone; nobody subscribes to it. */
export type SentType = EventType | "test";

/** Events of which an account can get a mail. */
export const MAILED_EVENTS = ["job.proof_ready", "job.completed", "job.failed"] as const satisfies EventType[];

/** The key in an account's metadata; true to get those mails. */
export const MAIL_PREFERENCE = "mail_on_job_end";

/** The body of an event. */
export type EventBody = { type: SentType; timestamp: string; data: Record<string, unknown> };

/** What the events of a job say. */
export type JobEventData = {
  job_id: string;
  job_name: string;
  status: string;
  total_videos: number;
  /** Finished files; of job.proof_ready, the samples. */
  files: number;
  /** At most 1,000 characters. */
  error_message: string | null;
};

/** What output.completed says. */
export type OutputEventData = {
  job_id: string;
  job_name: string;
  output_id: string;
  name: string;
  /** Of the video in the job, from 0. */
  position: number;
  variant: number;
  segment: number;
  duration_seconds: number | null;
  width: number | null;
  height: number | null;
  size_bytes: number | null;
  /** In hex. */
  sha256: string | null;
};

/** What published says. */
export type PublishedEventData = { version: number; routes: number };

/** "gone": it answered 410. "failing": all attempts failed for three days. */
export type DisabledReason = "gone" | "failing";

/** The secret is returned only when it is made. */
export type Webhook = {
  id: string;
  url: string;
  events: EventType[];
  enabled: boolean;
  /** Why Clipmill turned it off; null if it did not. */
  disabled_reason: DisabledReason | null;
  /** Since when no delivery has succeeded; null unless the last one failed. */
  failing_since: string | null;
  /** Until when the secret before the last rotation also signs. */
  previous_secret_until: string | null;
  /** True if the saved secret cannot be decrypted, so that it must be rotated. */
  needs_secret: boolean;
  /** Deliveries that wait for an attempt. */
  pending: number;
  last_delivery: Pick<WebhookDelivery, "id" | "type" | "status" | "created_at"> | null;
  created_at: string;
  updated_at: string;
};

export type WebhookDeliveryStatus = "pending" | "delivered" | "failed";

/** One request and what became of it. */
export type Attempt = {
  at: string;
  /** Null without an answer. */
  status: number | null;
  milliseconds: number;
  /** The beginning of the answer's body. */
  answer: string | null;
  /** Why it failed, in one sentence; null if it succeeded. */
  error: string | null;
};

/** An event for one webhook. `event_id` is the header webhook-id: the same for every attempt and replay. */
export type WebhookDelivery = {
  id: string;
  event_id: string;
  type: SentType;
  status: WebhookDeliveryStatus;
  attempts: number;
  /** The last attempt, without its answer; null before the first. */
  last_attempt: Omit<Attempt, "answer"> | null;
  /** Null unless pending. */
  next_attempt_at: string | null;
  created_at: string;
};

/** `body` is what is sent, byte for byte. */
export type WholeWebhookDelivery = Omit<WebhookDelivery, "attempts"> & { body: string; attempts: Attempt[] };

/** Responses of the function webhooks. */
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
  /** Deliveries in the log of one webhook that are listed. */
  listed: 100,
  /** How long a secret signs after its rotation. */
  rotationHours: 24,
} as const;

/** Returns what is wrong with a webhook's address in one sentence, or null. */
export function faultOfWebhookUrl(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) return "Enter an address that starts with https://.";
  if (text.length > WEBHOOK_LIMITS.urlCharacters) return "The address can have at most 2,000 characters.";
  if (url.username || url.password) return "The address must not contain a user name or password.";
  return url.hash ? "The address must not contain #." : null;
}
