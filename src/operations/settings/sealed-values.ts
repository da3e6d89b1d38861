import { createHmac } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { SERVICE_KEYS } from "#contract/settings/settings.ts";
import type { Tables } from "#database/tables.ts";
import { sealName } from "../accounts/second-step/enroll-factor.ts";
import { connectionSealName } from "../connections/select-connections.ts";
import type { Context } from "../context.ts";
import { deriveKey } from "../derive-key.ts";
import { webhookSealName } from "../webhooks/webhook-secret.ts";
import { writeSetting } from "./write-setting.ts";

export type SealedKind = "keys" | "secondSteps" | "connections" | "webhooks";

/** `id` names the row; the value is sealed under `name`. */
type SealedValue = { kind: SealedKind; id: string; name: string; sealed: string };

export async function listSealedValues(db: Kysely<Tables>, { locks = false } = {}): Promise<SealedValue[]> {
  const keys = await db
    .selectFrom("settings")
    .select(["name", "value"])
    .where("name", "in", SERVICE_KEYS)
    .$if(locks, (query) => query.forUpdate())
    .execute();
  const factors = await db
    .selectFrom("factors")
    .select(["id", "sealed_secret"])
    .$if(locks, (query) => query.forUpdate())
    .execute();
  const listFrom = async (table: "connections" | "webhooks") =>
    (await hasTable(db, table))
      ? await db
          .selectFrom(table)
          .select(["id", "sealed_secret"])
          .where("sealed_secret", "is not", null)
          .$narrowType<{ sealed_secret: string }>()
          .$if(locks, (query) => query.forUpdate())
          .execute()
      : [];
  const connections = await listFrom("connections");
  const webhooks = await listFrom("webhooks");
  return [
    ...keys.map(({ name, value: sealed }) => ({ kind: "keys" as const, id: name, name, sealed })),
    ...factors.map(({ id, sealed_secret: sealed }) => ({
      kind: "secondSteps" as const,
      id,
      name: sealName(id),
      sealed,
    })),
    ...connections.map(({ id, sealed_secret: sealed }) => ({
      kind: "connections" as const,
      id,
      name: connectionSealName(id),
      sealed,
    })),
    ...webhooks.map(({ id, sealed_secret: sealed }) => ({
      kind: "webhooks" as const,
      id,
      name: webhookSealName(id),
      sealed,
    })),
  ];
}

/** False for an older version's restored database before its migration. */
async function hasTable(db: Kysely<Tables>, table: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${table}) is not null as exists`.execute(db);
  return rows[0]!.exists;
}

/** Keeps the value's date: it is not new. */
export async function replaceSealedValue(db: Kysely<Tables>, { kind, id }: SealedValue, sealed: string): Promise<void> {
  if (kind === "keys") await db.updateTable("settings").set({ value: sealed }).where("name", "=", id).execute();
  else {
    const table = kind === "secondSteps" ? "factors" : kind;
    await db.updateTable(table).set({ sealed_secret: sealed }).where("id", "=", id).execute();
  }
}

/** A connection or webhook keeps its other fields and needs a new secret. */
export async function removeSealedValue(db: Kysely<Tables>, { kind, id }: SealedValue): Promise<void> {
  if (kind === "keys") await db.deleteFrom("settings").where("name", "=", id).execute();
  else if (kind === "secondSteps") await db.deleteFrom("factors").where("id", "=", id).execute();
  else await db.updateTable(kind).set({ sealed_secret: null }).where("id", "=", id).execute();
}

// Programs with different secrets could not open each other's links, sessions and keys.

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
