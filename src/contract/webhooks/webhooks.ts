/** Follows standardwebhooks.com. */
import { z } from "zod";
import { component, named } from "../component.ts";

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

export const SentType = named(
  "SentType",
  'Only the action test sends "test"; nobody subscribes to it.',
  z.enum([...EVENT_TYPES, "test"]),
);
export type SentType = z.infer<typeof SentType>;

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

/** "gone": returned 410. "failing": all attempts failed for three days. */
export type DisabledReason = "gone" | "failing";

export const WebhookDeliveryStatus = named("WebhookDeliveryStatus", z.enum(["pending", "delivered", "failed"]));
export type WebhookDeliveryStatus = z.infer<typeof WebhookDeliveryStatus>;

export const Webhook = component("Webhook", "The secret is returned only when created.", () => ({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  enabled: z.boolean(),
  disabled_reason: z.enum(["gone", "failing"]).nullable(),
  failing_since: z.string().nullable().describe("No delivery has succeeded since; null unless the last one failed."),
  previous_secret_until: z.string().nullable().describe("Until then, the secret before the last rotation also signs."),
  needs_secret: z.boolean().describe("The saved secret cannot be decrypted: rotate it."),
  pending: z.number(),
  last_delivery: z
    .object({
      id: z.string(),
      type: SentType,
      status: WebhookDeliveryStatus,
      created_at: z.string(),
    })
    .nullable(),
  created_at: z.string(),
  updated_at: z.string(),
}));
export type Webhook = z.infer<typeof Webhook>;

export const Attempt = component("Attempt", () => ({
  at: z.string(),
  status: z.number().nullable().describe("Null without a response."),
  milliseconds: z.number(),
  answer: z.string().nullable().describe("The beginning of the response body."),
  error: z.string().nullable().describe("Null if it succeeded."),
}));
export type Attempt = z.infer<typeof Attempt>;

export const WebhookDelivery = component(
  "WebhookDelivery",
  "An event for one webhook. `event_id` is the header webhook-id, the same for every attempt and replay.",
  () => ({
    id: z.string(),
    event_id: z.string(),
    type: SentType,
    status: WebhookDeliveryStatus,
    attempts: z.number(),
    last_attempt: z
      .object({
        at: z.string(),
        status: z.number().nullable().describe("Null without a response."),
        milliseconds: z.number(),
        error: z.string().nullable().describe("Null if it succeeded."),
      })
      .nullable(),
    next_attempt_at: z.string().nullable(),
    created_at: z.string(),
  }),
);
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WholeWebhookDelivery = component("WholeWebhookDelivery", "`body` is sent byte for byte.", () => ({
  id: z.string(),
  event_id: z.string(),
  type: SentType,
  status: WebhookDeliveryStatus,
  last_attempt: z
    .object({
      at: z.string(),
      status: z.number().nullable().describe("Null without a response."),
      milliseconds: z.number(),
      error: z.string().nullable().describe("Null if it succeeded."),
    })
    .nullable(),
  next_attempt_at: z.string().nullable(),
  created_at: z.string(),
  body: z.string(),
  attempts: z.array(Attempt),
}));
export type WholeWebhookDelivery = z.infer<typeof WholeWebhookDelivery>;

export const WebhooksResponse = component("WebhooksResponse", () => ({ data: z.array(Webhook) }));
export type WebhooksResponse = z.infer<typeof WebhooksResponse>;

export const WebhookResponse = component("WebhookResponse", () => ({ data: Webhook }));
export type WebhookResponse = z.infer<typeof WebhookResponse>;

export const NewSecretResponse = component("NewSecretResponse", () => ({ data: Webhook, secret: z.string() }));
export type NewSecretResponse = z.infer<typeof NewSecretResponse>;

export const WebhookDeliveriesResponse = component("WebhookDeliveriesResponse", () => ({
  data: z.array(WebhookDelivery),
}));
export type WebhookDeliveriesResponse = z.infer<typeof WebhookDeliveriesResponse>;

export const WebhookDeliveryResponse = component("WebhookDeliveryResponse", () => ({ data: WholeWebhookDelivery }));
export type WebhookDeliveryResponse = z.infer<typeof WebhookDeliveryResponse>;

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
export function problemOfWebhookUrl(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) return "Enter an address that starts with https://.";
  if (text.length > WEBHOOK_LIMITS.urlCharacters) return "The address can have at most 2,000 characters.";
  if (url.username || url.password) return "The address must not contain a username or password.";
  return url.hash ? "The address must not contain #." : null;
}

const id = z.uuid({ error: "The webhook ID is missing or not valid." });
const deliveryId = z.uuid({ error: "The delivery ID is missing or not valid." });

const url = z
  .string("Enter the address.")
  .trim()
  .check((check) => {
    const message = problemOfWebhookUrl(check.value);
    if (message !== null) check.issues.push({ code: "custom", input: check.value, message });
  });

const events = z
  .array(z.enum(EVENT_TYPES, `Events are ${EVENT_TYPES.join(", ")}.`), "events: must be a list")
  .transform((chosen) => EVENT_TYPES.filter((type) => chosen.includes(type)))
  .refine((chosen) => chosen.length > 0, "Select at least one event.");

export const addWebhookSchema = z.object({ url, events, enabled: z.boolean().default(true) });

export const changeWebhookSchema = z.object({
  id,
  url: url.optional(),
  events: events.optional(),
  enabled: z.boolean().optional(),
});

export const webhookIdSchema = z.object({ id });
export const deliveryIdSchema = z.object({ id, delivery_id: deliveryId });
