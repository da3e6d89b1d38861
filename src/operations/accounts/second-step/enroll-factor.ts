import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import { writeAudit } from "../../audit/write-audit.ts";
import type { AccountsContext } from "../accounts-context.ts";
import { AuthError } from "../auth-error.ts";
import { sealName } from "./factor.ts";
import { type IdentityProof, verifyIdentity } from "../sign-in/verify-identity.ts";

const MAX_FACTORS = 10;
const MAX_LABEL_LENGTH = 64;

/** Unverified. The secret is returned only here. */
export type EnrolledFactor = { id: string; friendlyName: string; secret: string; uri: string; qrCode: string };

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
