/** All calls throw CallError. */
import type {
  WebhookDeliveriesResponse,
  WebhookDelivery,
  WebhookDeliveryResponse,
  EventType,
  NewSecretResponse,
  Webhook,
  WebhookResponse,
  WebhooksResponse,
  WholeWebhookDelivery,
} from "#contract/webhooks/webhooks.ts";
import { callFunction } from "../call-function.ts";

const NAME = "webhooks";
export const webhooksKey = [NAME] as const;
export const deliveriesKey = (id: string) => [NAME, id] as const;
export const deliveryKey = (id: string, deliveryId: string) => [NAME, id, deliveryId] as const;

type WebhookDraft = { url: string; events: readonly EventType[] };

export async function listWebhooks(signal?: AbortSignal): Promise<Webhook[]> {
  return (await callFunction<WebhooksResponse>(NAME, { method: "GET" }, { signal })).data;
}

export function addWebhook(draft: WebhookDraft): Promise<NewSecretResponse> {
  return callFunction(NAME, draft);
}

export async function changeWebhook(
  id: string,
  change: Partial<WebhookDraft & { enabled: boolean }>,
): Promise<Webhook> {
  return (await callFunction<WebhookResponse>(NAME, { action: "update", id, ...change })).data;
}

export async function deleteWebhook(id: string): Promise<void> {
  await callFunction(NAME, { action: "delete", id });
}

export function rotateSecret(id: string): Promise<NewSecretResponse> {
  return callFunction(NAME, { action: "rotate", id });
}

/** Returns the delivery, whose attempt may have failed. */
export async function testWebhook(id: string): Promise<WholeWebhookDelivery> {
  return (await callFunction<WebhookDeliveryResponse>(NAME, { action: "test", id })).data;
}

export async function replayEvent(id: string, deliveryId: string): Promise<WholeWebhookDelivery> {
  return (await callFunction<WebhookDeliveryResponse>(NAME, { action: "replay", id, delivery_id: deliveryId })).data;
}

export async function listSendings(id: string, signal?: AbortSignal): Promise<WebhookDelivery[]> {
  return (await callFunction<WebhookDeliveriesResponse>(NAME, { action: "deliveries", id }, { signal })).data;
}

export async function readSending(id: string, deliveryId: string, signal?: AbortSignal): Promise<WholeWebhookDelivery> {
  const body = { action: "delivery", id, delivery_id: deliveryId };
  return (await callFunction<WebhookDeliveryResponse>(NAME, body, { signal })).data;
}
