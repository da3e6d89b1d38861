import { SuccessResponse } from "#contract/calls.ts";
import {
  addWebhookSchema,
  changeWebhookSchema,
  deliveryIdSchema,
  webhookIdSchema,
  NewSecretResponse,
  WebhookDeliveriesResponse,
  WebhookDeliveryResponse,
  WebhookResponse,
  WebhooksResponse,
} from "#contract/webhooks/webhooks.ts";
import { addWebhook } from "#operations/webhooks/add-webhook.ts";
import { changeWebhook } from "#operations/webhooks/change-webhook.ts";
import { listSendings, readSending } from "#operations/webhooks/read-sendings.ts";
import { removeWebhook } from "#operations/webhooks/remove-webhook.ts";
import { rotateSecret, replayEvent, testWebhook } from "#operations/webhooks/send-now.ts";
import { listWebhooks } from "#operations/webhooks/select-webhooks.ts";
import { type CallFunction, defineCall, SUCCESS, READ_OR_WRITE } from "../define-call.ts";

/** Returns secrets only when created. */
export const WEBHOOKS_FUNCTION: CallFunction = {
  path: "webhooks",
  summary: "Manages webhooks and their log.",
  scope: "settings",
  unknown: (actions) => `action: must be ${actions.join(", ")}`,
  get: READ_OR_WRITE.get,
  calls: [
    defineCall({
      name: "list",
      summary: "Lists all webhooks.",
      when: { method: "GET" },
      isRead: true,
      answers: WebhooksResponse,
      run: async (context) => ({ data: await listWebhooks(context) }),
    }),
    defineCall({
      name: "create",
      summary: "Adds a webhook and returns its secret once.",
      when: { action: undefined },
      takes: addWebhookSchema,
      answers: NewSecretResponse,
      example: { url: "https://automation.example.com/hooks", events: ["job.completed"], enabled: true },
      runUnchecked: (context, body) => addWebhook(context, body),
    }),
    defineCall({
      name: "test",
      summary: "Sends a test event.",
      takes: webhookIdSchema,
      answers: WebhookDeliveryResponse,
      run: async (context, request) => ({ data: await testWebhook(context, request) }),
    }),
    defineCall({
      name: "replay",
      summary: "Sends the event of an earlier delivery again, with the same ID.",
      takes: deliveryIdSchema,
      answers: WebhookDeliveryResponse,
      run: async (context, request) => ({ data: await replayEvent(context, request) }),
    }),
    defineCall({
      name: "rotate",
      summary: "Rotates the secret; for a day, events are signed with both secrets.",
      takes: webhookIdSchema,
      answers: NewSecretResponse,
      run: (context, request) => rotateSecret(context, request),
    }),
    defineCall({
      name: "update",
      summary: "Changes the given fields of a webhook.",
      takes: changeWebhookSchema,
      answers: WebhookResponse,
      run: async (context, request) => ({ data: await changeWebhook(context, request) }),
    }),
    defineCall({
      name: "delete",
      summary: "Deletes a webhook and its log.",
      takes: webhookIdSchema,
      answers: SuccessResponse,
      run: async (context, request) => {
        await removeWebhook(context, request);
        return SUCCESS;
      },
    }),
    defineCall({
      name: "deliveries",
      summary: "Lists the last 100 deliveries of a webhook, newest first.",
      isRead: true,
      takes: webhookIdSchema,
      answers: WebhookDeliveriesResponse,
      run: async (context, request) => ({ data: await listSendings(context, request) }),
    }),
    defineCall({
      name: "delivery",
      summary: "Returns a delivery with its body and the responses.",
      isRead: true,
      takes: deliveryIdSchema,
      answers: WebhookDeliveryResponse,
      run: async (context, request) => ({ data: await readSending(context, request) }),
    }),
  ],
};
