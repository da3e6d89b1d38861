import { createHmac } from "node:crypto";
import { keyOfSecret } from "../webhooks/webhook-secret.ts";

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
