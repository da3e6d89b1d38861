/** Second steps are authenticator apps (TOTP, RFC 6238). */
import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import { AuthError } from "../auth-error.ts";

export type Factor = {
  id: string;
  friendly_name: string;
  status: "verified" | "unverified";
  created_at: string;
  updated_at: string;
};

export function listFactors(db: Kysely<Tables>, accountId: string): Promise<Factor[]> {
  return db
    .selectFrom("factors")
    .select(["id", "friendly_name", "created_at", "updated_at"])
    .select(sql<Factor["status"]>`case when verified_at is null then 'unverified' else 'verified' end`.as("status"))
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Includes the sealed secret. Throws AuthError "mfa_factor_not_found". */
export async function findFactor(db: Kysely<Tables>, accountId: string, factorId: string) {
  const factor = await db
    .selectFrom("factors")
    .select(["id", "sealed_secret", "verified_at"])
    .where("account_id", "=", accountId)
    .where("id", "=", factorId)
    .executeTakeFirst();
  if (!factor) throw new AuthError("mfa_factor_not_found", "This second step no longer exists.");
  return factor;
}

/** Sealed under this name, a secret copied to another factor does not open. */
export function sealName(factorId: string): string {
  return `factor ${factorId}`;
}
