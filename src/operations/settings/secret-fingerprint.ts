/** Programs with different secrets could not open each other's links, sessions and keys. */
import { createHmac } from "node:crypto";
import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../context.ts";
import { deriveKey } from "../derive-key.ts";
import { writeSetting } from "./write-setting.ts";

const NAME = "app_secret_fingerprint";

/** Values may still be sealed under previous secrets. */
export type AppSecrets = { current: string; previous: readonly string[] };

/** Null before the first program start. */
export async function readSecretFingerprint({ db }: Pick<Context, "db">): Promise<string | null> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", NAME).executeTakeFirst();
  return row?.value ?? null;
}

/** Replaces another secret's fingerprint; requireSameSecret is the check. */
export function keepSecretFingerprint({ db }: Pick<Context, "db">, secret: string): Promise<void> {
  return writeSetting(db, NAME, fingerprintOf(secret));
}

/** Throws ClipmillError "invalid" if no secret has the known fingerprint. */
export function requireSameSecret(known: string | null, secrets: AppSecrets | null): void {
  if (isSameSecret(known, secrets)) return;
  throw new ClipmillError(
    "invalid",
    secrets
      ? "This database uses a different APP_SECRET. Set the one that the other servers and workers use. To change the secret, set the old one as PREVIOUS_APP_SECRET. If it is lost, run `clipmill secrets rotate --lost`."
      : "This database uses a secret that is not in this data folder. Set APP_SECRET to the one that the other servers and workers use. If it is lost, set a new one and run `clipmill secrets rotate --lost`.",
  );
}

/** True also if no fingerprint is known. */
export function isSameSecret(known: string | null, secrets: AppSecrets | null): boolean {
  if (known === null) return true;
  return secrets !== null && [secrets.current, ...secrets.previous].some((secret) => fingerprintOf(secret) === known);
}

/** A keyed hash reveals nothing about the secret. */
function fingerprintOf(secret: string): string {
  return createHmac("sha256", deriveKey(secret, "fingerprint")).update("app secret").digest("base64url");
}
