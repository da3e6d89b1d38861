import { randomBytes } from "node:crypto";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../context.ts";

const PREFIX = "whsec_";
/** The specification allows 24 to 64. */
const SECRET_BYTES = 32;

const sealedSchema = z.object({ current: z.string(), previous: z.string().nullable() });
/** `previous` signs until `previous_secret_until`. */
type WebhookSecrets = z.output<typeof sealedSchema>;

/** Sealed under this name, secrets copied to another row do not open. */
export function webhookSealName(id: string): string {
  return `webhook:${id}`;
}

export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

export function keyOfSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), "base64");
}

export function sealWebhookSecrets({ secrets }: Pick<Context, "secrets">, id: string, plain: WebhookSecrets): string {
  return secrets.seal(webhookSealName(id), JSON.stringify(plain));
}

/** Null without secrets, or if they cannot be decrypted and must be rotated. */
export function openWebhookSecrets(
  { secrets }: Pick<Context, "secrets">,
  { id, sealed_secret: sealed }: { id: string; sealed_secret: string | null },
): WebhookSecrets | null {
  if (sealed === null) return null;
  try {
    return sealedSchema.parse(JSON.parse(secrets.open(webhookSealName(id), sealed)));
  } catch (error) {
    if (error instanceof ClipmillError) return null;
    throw error;
  }
}
