import { z } from "zod";
import { EVENT_TYPES, faultOfWebhookUrl } from "./webhooks.ts";

const id = z.uuid({ error: "The webhook ID is missing or not valid." });
const deliveryId = z.uuid({ error: "The delivery ID is missing or not valid." });

const url = z
  .string("Enter the address.")
  .trim()
  .check((check) => {
    const message = faultOfWebhookUrl(check.value);
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
