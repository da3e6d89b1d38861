import { z } from "zod";
import {
  addWebhookSchema,
  changeWebhookSchema,
  deliveryIdSchema,
  webhookIdSchema,
} from "#contract/webhooks/webhook-requests.ts";
import type { CallDoc, FunctionDocs } from "../function-doc.ts";

const action = (name: string) => ({ action: z.literal(name) });

function ofWebhook(name: string, answers: string, summary: string): CallDoc {
  return { name, summary, takes: webhookIdSchema.extend(action(name)), answers };
}

export const OUTGOING_FUNCTIONS: FunctionDocs = {
  "/functions/v1/webhooks": {
    summary: "Manages webhooks and their log.",
    calls: [
      {
        name: "list",
        summary: "Lists all webhooks.",
        takes: z.object({ method: z.literal("GET") }),
        answers: "WebhooksResponse",
      },
      {
        name: "create",
        summary: "Adds a webhook and returns its secret once.",
        takes: addWebhookSchema,
        answers: "NewSecretResponse",
        example: { url: "https://automation.example.com/hooks", events: ["job.completed"], enabled: true },
      },
      {
        name: "update",
        summary: "Changes the given fields of a webhook.",
        takes: changeWebhookSchema.extend(action("update")),
        answers: "WebhookResponse",
      },
      ofWebhook("rotate", "NewSecretResponse", "Rotates the secret; for a day, events are signed with both secrets."),
      ofWebhook("test", "WebhookDeliveryResponse", "Sends a test event."),
      ofWebhook("delete", "SuccessResponse", "Deletes a webhook and its log."),
      ofWebhook("deliveries", "WebhookDeliveriesResponse", "Lists the last deliveries of a webhook, newest first."),
      {
        name: "delivery",
        summary: "Returns a delivery with its body and the responses.",
        takes: deliveryIdSchema.extend(action("delivery")),
        answers: "WebhookDeliveryResponse",
      },
      {
        name: "replay",
        summary: "Sends the event of an earlier delivery again, with the same ID.",
        takes: deliveryIdSchema.extend(action("replay")),
        answers: "WebhookDeliveryResponse",
      },
    ],
  },
};
