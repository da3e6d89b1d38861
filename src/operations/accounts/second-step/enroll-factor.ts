import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import { writeAudit } from "../../audit/write-audit.ts";
import type { AccountsContext } from "../accounts-context.ts";
import { AuthError } from "../auth-error.ts";
import { sealName } from "./factor.ts";
import { type IdentityProof, proveIdentity } from "../sign-in/prove-identity.ts";

const MOST_FACTORS = 10;
const LONGEST_LABEL = 64;

/** A factor that waits for its first code; its secret is told this once. */
export type EnrolledFactor = { id: string; friendlyName: string; secret: string; uri: string; qrCode: string };

/**
 * Begins to set up an authenticator app. One that was begun before and never verified is given up.
 * Throws AuthError "mfa_factor_name_conflict", "too_many_enrolled_mfa_factors", or as proveIdentity does: who could add one
 * at somebody else's screen would keep the owner out.
 */
export async function enrollFactor(
  context: Pick<AccountsContext, "db" | "secrets" | "throttles" | "hashCode">,
  asking: Parameters<typeof proveIdentity>[1],
  { friendlyName, issuer, ...proof }: IdentityProof & { friendlyName: string; issuer: string },
): Promise<EnrolledFactor> {
  await proveIdentity(context, asking, proof);
  const id = randomUUID();
  const secret = new Secret({ size: 20 }).base32;
  // A picture holds 2,953 bytes, and each character may need twelve of them.
  const label = Array.from(asking.email).slice(0, LONGEST_LABEL).join("");
  const uri = new TOTP({ issuer, label, secret }).toString();
  await context.db.transaction().execute(async (trx) => {
    await trx.selectFrom("accounts").select("id").where("id", "=", asking.accountId).forUpdate().execute();
    await trx
      .deleteFrom("factors")
      .where("account_id", "=", asking.accountId)
      .where("verified_at", "is", null)
      .execute();
    const others = await trx
      .selectFrom("factors")
      .select("friendly_name")
      .where("account_id", "=", asking.accountId)
      .execute();
    if (others.length >= MOST_FACTORS) {
      throw new AuthError("too_many_enrolled_mfa_factors", `An account can have at most ${MOST_FACTORS} second steps.`);
    }
    if (others.some((other) => other.friendly_name === friendlyName)) {
      throw new AuthError("mfa_factor_name_conflict", "A second step with this name already exists.");
    }
    const sealed = context.secrets.seal(sealName(id), secret);
    await trx
      .insertInto("factors")
      .values({ id, account_id: asking.accountId, friendly_name: friendlyName, sealed_secret: sealed })
      .execute();
    await writeAudit(trx, { id: asking.accountId, email: asking.email }, { action: "second-step.add", subjects: [id] });
  });
  return { id, friendlyName, secret, uri, qrCode: renderSVG(uri, { border: 2 }) };
}
