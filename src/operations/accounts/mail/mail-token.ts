/** Each email has a link's token and a code to type; either is valid once, within an hour. */
import { createHmac, randomBytes, randomInt } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import { deriveKey } from "../../derive-key.ts";
import { hashToken } from "../sessions/refresh-token.ts";

export type MailPurpose = "signup" | "recovery" | "magiclink" | "email_change" | "reauthentication";
export type RedeemedMail = {
  account_id: string;
  purpose: MailPurpose;
  email: string;
  /** The password that a sign-up confirms. */
  password_hash: string | null;
};

/** Keyed, because codes are short: a stolen database does not reveal them. */
export type CodeHasher = (accountId: string, code: string) => string;

const VALID_MINUTES = 60;
const CODE_DIGITS = 8;
/** Voids the code but not the link, so guessing cannot block recovery. */
const MAX_WRONG_CODES = 5;

/** Codes hashed under another APP_SECRET do not match. */
export function createCodeHasher(appSecret: string): CodeHasher {
  const key = deriveKey(appSecret, "mail codes");
  return (accountId, code) => createHmac("sha256", key).update(`${accountId} ${code}`).digest("base64url");
}

export async function issueMailToken(
  db: Kysely<Tables>,
  hashCode: CodeHasher,
  recipient: { accountId: string; purpose: MailPurpose; email: string; passwordHash: string | null },
): Promise<{ token: string; code: string }> {
  const token = randomBytes(32).toString("base64url");
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0");
  await db
    .deleteFrom("mail_tokens")
    .where("expires_at", "<", sql<string>`now()`)
    .execute();
  await db
    .insertInto("mail_tokens")
    .values({
      account_id: recipient.accountId,
      purpose: recipient.purpose,
      email: recipient.email,
      token_hash: hashToken(token),
      code_hash: hashCode(recipient.accountId, code),
      password_hash: recipient.passwordHash,
      expires_at: sql<string>`now() + make_interval(mins => ${VALID_MINUTES})`,
    })
    .execute();
  return { token, code };
}

export async function redeemLink(
  db: Kysely<Tables>,
  token: string,
  purposes: readonly MailPurpose[],
): Promise<RedeemedMail | null> {
  const redeemed = await db
    .deleteFrom("mail_tokens")
    .where("token_hash", "=", hashToken(token))
    .where("purpose", "in", purposes)
    .where("expires_at", ">", sql<string>`now()`)
    .returning(["account_id", "purpose", "email", "password_hash"])
    .executeTakeFirst();
  return redeemed ?? null;
}

/** A wrong code returns null and counts against all the account's codes for these purposes. */
export async function redeemCode(
  db: Kysely<Tables>,
  hashCode: CodeHasher,
  attempt: { accountId: string; code: string; purposes: readonly MailPurpose[] },
): Promise<RedeemedMail | null> {
  const redeemed = await db
    .deleteFrom("mail_tokens")
    .where("account_id", "=", attempt.accountId)
    .where("code_hash", "=", hashCode(attempt.accountId, attempt.code))
    .where("purpose", "in", attempt.purposes)
    .where("expires_at", ">", sql<string>`now()`)
    .where("wrong_codes", "<", MAX_WRONG_CODES)
    .returning(["account_id", "purpose", "email", "password_hash"])
    .executeTakeFirst();
  if (redeemed) return redeemed;
  await db
    .updateTable("mail_tokens")
    .set((eb) => ({ wrong_codes: eb("wrong_codes", "+", 1) }))
    .where("account_id", "=", attempt.accountId)
    .where("purpose", "in", attempt.purposes)
    .execute();
  return null;
}

/** Also drops a pending address: anyone can request another link to it. */
export async function voidMails(trx: Kysely<Tables>, accountId: string): Promise<void> {
  await trx.deleteFrom("mail_tokens").where("account_id", "=", accountId).execute();
  await trx.updateTable("accounts").set({ new_email: null }).where("id", "=", accountId).execute();
}
