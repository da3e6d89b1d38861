import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import type { SecretValues } from "#contract/connections/kinds/connection-kind.ts";
import type { Context } from "../context.ts";

const secretSchema = z.record(z.string(), z.string());

const MIN_LENGTH_WITH_ENDING = 12;

/** Sealed under this name, a secret copied to another row does not open. */
export function connectionSealName(id: string): string {
  return `connection:${id}`;
}

export function sealConnectionSecret({ secrets }: Pick<Context, "secrets">, id: string, secret: SecretValues): string {
  return secrets.seal(connectionSealName(id), JSON.stringify(secret));
}

/** Null for a missing secret, or one that cannot be decrypted: it must be entered again. */
export function openConnectionSecret(
  { secrets }: Pick<Context, "secrets">,
  { id, sealed_secret: sealed }: { id: string; sealed_secret: string | null },
): SecretValues | null {
  if (sealed === null) return null;
  try {
    return secretSchema.parse(JSON.parse(secrets.open(connectionSealName(id), sealed)));
  } catch (error) {
    if (error instanceof ClipmillError) return null;
    throw error;
  }
}

/** Returns the last four characters; null for a short secret. */
export function endOf(secret: string): string | null {
  return secret.length >= MIN_LENGTH_WITH_ENDING ? secret.slice(-4) : null;
}
