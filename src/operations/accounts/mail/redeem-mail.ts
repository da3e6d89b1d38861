import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import { emailSchema, requireEnabled, type AccountsContext } from "../account.ts";
import { AuthError } from "../auth-error.ts";
import { deleteSignUp, rethrowTakenEmail } from "../sign-in/sign-up.ts";
import { type CodeHasher, type MailPurpose, redeemCode, type RedeemedMail, redeemLink } from "./mail-token.ts";
import { hashToken } from "../sessions/refresh-token.ts";
import { unusableHash } from "../password.ts";
import { openSession, type SignedIn } from "../sign-in/signed-in.ts";

const PURPOSES = {
  signup: ["signup"],
  recovery: ["recovery"],
  magiclink: ["magiclink"],
  email: ["magiclink", "signup"],
  email_change: ["email_change"],
} as const satisfies Record<string, readonly MailPurpose[]>;

export type MailType = keyof typeof PURPOSES;
export const MAIL_TYPES = Object.keys(PURPOSES) as [MailType, ...MailType[]];

export type MailProof =
  | { type: MailType; token: string }
  /** `address` is the client's IP address. */
  | { type: MailType; email: string; code: string; address: string };

/**
 * Opens a session and completes the email's purpose. Throws AuthError "otp_expired", "over_request_rate_limit",
 * "user_banned" or "email_exists".
 */
export async function redeemMail(
  context: AccountsContext,
  proof: MailProof,
  userAgent: string | null,
): Promise<SignedIn> {
  const attempt = "code" in proof ? { account: parseEmail(proof.email), address: proof.address } : null;
  if (attempt) await context.throttles.mailCode.count(attempt);
  const opening = context.db.transaction().execute(async (trx) => {
    const redeemed = await redeem(trx, context.hashCode, proof);
    if (!redeemed) return null;
    await confirm(trx, redeemed);
    const accountId = redeemed.account_id;
    const signedIn = await openSession(trx, context.refreshTokens, { accountId, method: "otp", userAgent });
    await writeAudit(trx, signedIn.account, { action: "account.sign-in" });
    return signedIn;
  });
  const signedIn = await opening.catch(rethrowTakenEmail);
  // Thrown outside the transaction, to commit the count of wrong codes.
  if (!signedIn) throw new AuthError("otp_expired", "Token has expired or is invalid");
  if (attempt) await context.throttles.mailCode.forgive(attempt);
  return signedIn;
}

function parseEmail(text: string): string {
  const email = emailSchema.safeParse(text);
  return email.success ? email.data : "";
}

async function redeem(trx: Kysely<Tables>, hashCode: CodeHasher, proof: MailProof): Promise<RedeemedMail | null> {
  const account = await lockRecipient(trx, proof);
  if (!account) return null;
  const purposes = PURPOSES[proof.type];
  if ("token" in proof) return redeemLink(trx, proof.token, purposes);
  return redeemCode(trx, hashCode, { accountId: account.id, code: proof.code, purposes });
}

/** Locks the account before its emails, like a password change, which voids them and ends the open sessions. */
function lockRecipient(trx: Kysely<Tables>, proof: MailProof) {
  const accounts = trx.selectFrom("accounts").select("id").forUpdate();
  if ("code" in proof) {
    const column = proof.type === "email_change" ? "new_email" : "email";
    return accounts.where(column, "=", parseEmail(proof.email)).executeTakeFirst();
  }
  const recipient = trx.selectFrom("mail_tokens").select("account_id").where("token_hash", "=", hashToken(proof.token));
  return accounts.where("id", "=", recipient).executeTakeFirst();
}

async function confirm(trx: Kysely<Tables>, redeemed: RedeemedMail): Promise<void> {
  const { account_id: id, purpose, email } = redeemed;
  const account = await trx
    .selectFrom("accounts")
    .select(["email", "new_email", "disabled_at", "email_confirmed_at"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  const isChange = purpose === "email_change";
  // Links to the previous address are void after a change.
  const isForAnotherAddress = !account || email !== (isChange ? account.new_email : account.email);
  // Other sign-ups for a confirmed address are void; only its owner can set the password.
  if (isForAnotherAddress || (purpose === "signup" && account.email_confirmed_at)) {
    throw new AuthError("otp_expired", "Token has expired or is invalid");
  }
  requireEnabled(account);
  if (!account.email_confirmed_at) await confirmSignUp(trx, redeemed);
  // The owner has confirmed the new address, so pending sign-ups with it are void.
  if (isChange) await deleteSignUp(trx, email);
  await trx
    .updateTable("accounts")
    .set({ email, updated_at: sql<string>`now()` })
    .$if(isChange, (query) => query.set({ new_email: null }))
    .where("id", "=", id)
    .execute();
}

/** Only the sign-up's own link sets its password: a stranger may have used this address. */
async function confirmSignUp(trx: Kysely<Tables>, { account_id: id, password_hash }: RedeemedMail): Promise<void> {
  await trx
    .updateTable("accounts")
    .set({ password_hash: password_hash ?? (await unusableHash()), email_confirmed_at: sql<string>`now()` })
    .where("id", "=", id)
    .execute();
  await trx.deleteFrom("mail_tokens").where("account_id", "=", id).where("purpose", "=", "signup").execute();
}
