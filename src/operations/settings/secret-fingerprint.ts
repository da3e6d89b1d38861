/** Which APP_SECRET a database belongs to: programs with different ones could not open each other's links, sessions and keys. */
import { createHmac } from "node:crypto";
import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../context.ts";
import { deriveKey } from "../derive-key.ts";
import { writeSetting } from "./write-setting.ts";

const NAME = "app_secret_fingerprint";

/** The secret of a program, and those before it that something may still be sealed under. */
export type AppSecrets = { current: string; previous: readonly string[] };

/** The kept fingerprint; null before the first program was started. */
export async function readSecretFingerprint({ db }: Pick<Context, "db">): Promise<string | null> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", NAME).executeTakeFirst();
  return row?.value ?? null;
}

/** Keeps the fingerprint of the secret that is used from now on. */
export function keepSecretFingerprint({ db }: Pick<Context, "db">, secret: string): Promise<void> {
  return writeSetting(db, NAME, fingerprintOf(secret));
}

/**
 * Throws ClipmillError "invalid" when `known` is the fingerprint of neither the current secret nor one before it, or when there
 * is no secret at all.
 */
export function requireSameSecret(known: string | null, secrets: AppSecrets | null): void {
  if (isSameSecret(known, secrets)) return;
  throw new ClipmillError(
    "invalid",
    secrets
      ? "This database uses a different APP_SECRET. Set the one its other programs use. To change the secret, set the old one as PREVIOUS_APP_SECRET. If it is lost, run `clipmill secrets rotate --lost`."
      : "This database uses a secret that is not in this data folder. Set APP_SECRET to the one its other programs use. If it is lost, set a new one and run `clipmill secrets rotate --lost`.",
  );
}

/** Whether one of the secrets is the one whose fingerprint is known. Any is while none is known. */
export function isSameSecret(known: string | null, secrets: AppSecrets | null): boolean {
  if (known === null) return true;
  return secrets !== null && [secrets.current, ...secrets.previous].some((secret) => fingerprintOf(secret) === known);
}

/** A keyed hash: nothing of the secret can be learned from it. */
function fingerprintOf(secret: string): string {
  return createHmac("sha256", deriveKey(secret, "fingerprint")).update("app secret").digest("base64url");
}
