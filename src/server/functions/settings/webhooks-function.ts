import type { Hono } from "hono";
import type { SuccessResponse } from "#contract/calls.ts";
import { webhookActionSchema } from "#contract/webhooks/webhook-requests.ts";
import type {
  WebhookDeliveriesResponse,
  WebhookDeliveryResponse,
  NewSecretResponse,
  WebhookResponse,
  WebhooksResponse,
} from "#contract/webhooks/webhooks.ts";
import { parseInput } from "#operations/parse-input.ts";
import { addWebhook } from "#operations/webhooks/add-webhook.ts";
import { changeWebhook } from "#operations/webhooks/change-webhook.ts";
import { listSendings, readSending } from "#operations/webhooks/read-sendings.ts";
import { removeWebhook } from "#operations/webhooks/remove-webhook.ts";
import { rotateSecret } from "#operations/webhooks/rotate-secret.ts";
import { listWebhooks } from "#operations/webhooks/select-webhooks.ts";
import { replayEvent, testWebhook } from "#operations/webhooks/send-now.ts";
import { actorContextFor } from "../../actor-context.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";

/** Returns secrets only when created. A body without an action adds a webhook. */
export function addWebhooksFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  const list = async (): Promise<WebhooksResponse> => ({ data: await listWebhooks(server) });

  app.get("/webhooks", async (c) => c.json(await list()));
  app.post("/webhooks", limitBody(1), async (c) => {
    const body = await readJson(c);
    const context = actorContextFor(server, c);
    if (body.method === "GET") return c.json(await list());
    if (!("action" in body)) return c.json((await addWebhook(context, body)) satisfies NewSecretResponse);
    switch (parseInput(webhookActionSchema, body).action) {
      case "test":
        return c.json({ data: await testWebhook(context, body) } satisfies WebhookDeliveryResponse);
      case "replay":
        return c.json({ data: await replayEvent(context, body) } satisfies WebhookDeliveryResponse);
      case "rotate":
        return c.json((await rotateSecret(context, body)) satisfies NewSecretResponse);
      case "update":
        return c.json({ data: await changeWebhook(context, body) } satisfies WebhookResponse);
      case "delete":
        await removeWebhook(context, body);
        return c.json({ success: true } satisfies SuccessResponse);
      case "deliveries":
        return c.json({ data: await listSendings(context, body) } satisfies WebhookDeliveriesResponse);
      case "delivery":
        return c.json({ data: await readSending(context, body) } satisfies WebhookDeliveryResponse);
    }
  });
}
