import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import type { AccountsContext } from "../account.ts";
import { AuthError } from "../auth-error.ts";
import { type IdentityProof, verifyIdentity } from "../sign-in/verify-identity.ts";

const MAX_FACTORS = 10;
const MAX_LABEL_LENGTH = 64;

/** Unverified. The secret is returned only here. */
type EnrolledFactor = { id: string; friendlyName: string; secret: string; uri: string; qrCode: string };

/**
 * Replaces an unverified factor. Throws AuthError "mfa_factor_name_conflict", "too_many_enrolled_mfa_factors", or like
 * verifyIdentity, against strangers at an unlocked screen.
 */
export async function enrollFactor(
  context: Pick<AccountsContext, "db" | "secrets" | "throttles" | "hashCode">,
  requester: Parameters<typeof verifyIdentity>[1],
  { friendlyName, issuer, ...proof }: IdentityProof & { friendlyName: string; issuer: string },
): Promise<EnrolledFactor> {
  await verifyIdentity(context, requester, proof);
  const id = randomUUID();
  const secret = new Secret({ size: 20 }).base32;
  // A QR code holds 2,953 bytes; a character may need twelve.
  const label = Array.from(requester.email).slice(0, MAX_LABEL_LENGTH).join("");
  const uri = new TOTP({ issuer, label, secret }).toString();
  await context.db.transaction().execute(async (trx) => {
    await trx.selectFrom("accounts").select("id").where("id", "=", requester.accountId).forUpdate().execute();
    await trx
      .deleteFrom("factors")
      .where("account_id", "=", requester.accountId)
      .where("verified_at", "is", null)
      .execute();
    const others = await trx
      .selectFrom("factors")
      .select("friendly_name")
      .where("account_id", "=", requester.accountId)
      .execute();
    if (others.length >= MAX_FACTORS) {
      throw new AuthError("too_many_enrolled_mfa_factors", `An account can have at most ${MAX_FACTORS} second steps.`);
    }
    if (others.some((other) => other.friendly_name === friendlyName)) {
      throw new AuthError("mfa_factor_name_conflict", "A second step with this name already exists.");
    }
    const sealed = context.secrets.seal(sealName(id), secret);
    await trx
      .insertInto("factors")
      .values({ id, account_id: requester.accountId, friendly_name: friendlyName, sealed_secret: sealed })
      .execute();
    await writeAudit(
      trx,
      { id: requester.accountId, email: requester.email },
      { action: "second-step.add", subjects: [id] },
    );
  });
  return { id, friendlyName, secret, uri, qrCode: renderSVG(uri, { border: 2 }) };
}

// Second steps are authenticator apps (TOTP, RFC 6238).

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

/** Maximum age of the second step that allows removal. */
const FRESH_MINUTES = 15;

/**
 * Removing a verified factor requires a recently passed second step: afterwards, a password may be enough. Throws
 * AuthError "mfa_factor_not_found" or "reauthentication_needed".
 */
export function removeFactor(
  { db, actor }: Pick<AccountsContext, "db"> & ActorContext,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  factorId: string,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const factor = await findFactor(trx, accountId, factorId);
    if (factor.verified_at) await requireFreshStep(trx, sessionId);
    await trx.deleteFrom("factors").where("id", "=", factor.id).execute();
    await forgetPassedSteps(trx, accountId);
    await writeAudit(trx, actor, { action: "second-step.remove", subjects: [factor.id] });
  });
}

async function requireFreshStep(trx: Kysely<Tables>, sessionId: string): Promise<void> {
  const fresh = await trx
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId)
    .where("second_step_at", ">", sql<string>`now() - make_interval(mins => ${FRESH_MINUTES})`)
    .executeTakeFirst();
  if (!fresh)
    throw new AuthError(
      "reauthentication_needed",
      "Enter a code from your authenticator app to remove the second step.",
    );
}

/** Passed steps must not count for a factor added later. */
async function forgetPassedSteps(trx: Kysely<Tables>, accountId: string): Promise<void> {
  const verified = trx
    .selectFrom("factors")
    .select("id")
    .where("account_id", "=", accountId)
    .where("verified_at", "is not", null);
  if (await verified.executeTakeFirst()) return;
  await trx.updateTable("sessions").set({ second_step_at: null }).where("account_id", "=", accountId).execute();
}
