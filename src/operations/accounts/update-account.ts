import { type Kysely, sql } from "kysely";
import type { Tables, UserMetadata } from "#database/tables.ts";
import { writeAudit } from "../audit/write-audit.ts";
import { emailSchema, type AccountsContext, hasIdentity, requirePasswords } from "./account.ts";
import { AuthError } from "./auth-error.ts";
import { deleteSignUp, requireFreeEmail, rethrowTakenEmail } from "./sign-in/sign-up.ts";
import { hashNewPassword, isPassword } from "./password.ts";
import { type IdentityProof, verifyIdentity } from "./sign-in/verify-identity.ts";
import { sendLinkUnthrottled } from "./mail/send-link.ts";
import { voidMails } from "./mail/mail-token.ts";
import { endSessions } from "./sign-in/sign-in.ts";

export type AccountChange = IdentityProof & {
  email?: string | undefined;
  password?: string | undefined;
  /** Merged; null removes a key. */
  metadata?: UserMetadata | undefined;
  redirectTo: string | null;
};

type Requester = { accountId: string; sessionId: string; address: string };

/**
 * A new password ends the other sessions and cancels a pending address. With a mail server, a new address must be
 * confirmed; the current one cancels a pending address. Throws AuthError "same_password", "weak_password",
 * "validation_failed", "email_exists", "email_provider_disabled", "over_email_send_rate_limit", or like verifyIdentity.
 */
export async function updateAccount(
  context: AccountsContext,
  requester: Requester,
  change: AccountChange,
): Promise<void> {
  const account = await context.db
    .selectFrom("accounts")
    .select(["id", "email", "password_hash"])
    .select(hasIdentity().as("hasIdentity"))
    .where("id", "=", requester.accountId)
    .executeTakeFirstOrThrow();
  if (change.password !== undefined) requireOwnPassword(context, account);
  const email = change.email === undefined ? account.email : parseEmail(change.email);
  const isNewEmail = email !== account.email;
  if (isNewEmail || change.password !== undefined)
    await verifyIdentity(context, { ...requester, email: account.email }, change);
  if (isNewEmail) await requireFreeEmail(context.db, email);
  const passwordHash = change.password === undefined ? null : await hashChanged(change.password, account.password_hash);
  // Before anything is saved, because it can throw.
  const sendsLink = isNewEmail && context.mailer !== null;
  if (sendsLink) await context.throttles.ownMail.count({ account: account.email, address: requester.address });

  const changing = context.db.transaction().execute(async (trx) => {
    if (passwordHash) await setPassword(trx, requester, passwordHash);
    if (isNewEmail && !sendsLink) await deleteSignUp(trx, email);
    if (isNewEmail && !sendsLink) await setEmail(trx, account.id, { email, new_email: null });
    else if (change.email !== undefined) await setEmail(trx, account.id, { new_email: isNewEmail ? email : null });
    if (change.metadata) await mergeMetadata(trx, account.id, change.metadata);
    await writeAudit(trx, account, { action: "account.change" });
  });
  await changing.catch(rethrowTakenEmail);
  if (sendsLink) {
    sendLinkUnthrottled(context, { purpose: "email_change", email: account.email, redirectTo: change.redirectTo });
  }
}

/** A password would let the owner in after the provider has removed them. */
function requireOwnPassword(context: AccountsContext, account: { hasIdentity: boolean }): void {
  requirePasswords(context);
  if (!account.hasIdentity) return;
  const sentence = "This account signs in at your identity provider, so it cannot have a password.";
  throw new AuthError("email_provider_disabled", sentence);
}

function parseEmail(text: string): string {
  const email = emailSchema.safeParse(text);
  if (!email.success) throw new AuthError("validation_failed", "Enter a valid email address.");
  return email.data;
}

async function hashChanged(password: string, currentHash: string): Promise<string> {
  if (await isPassword(password, currentHash)) {
    throw new AuthError("same_password", "The new password should be different from the old one.");
  }
  return hashNewPassword(password);
}

async function setPassword(trx: Kysely<Tables>, requester: Requester, passwordHash: string): Promise<void> {
  await trx
    .updateTable("accounts")
    .set({ password_hash: passwordHash, updated_at: sql<string>`now()` })
    .where("id", "=", requester.accountId)
    .execute();
  await voidMails(trx, requester.accountId);
  await endSessions(trx, requester, "others");
}

async function setEmail(
  trx: Kysely<Tables>,
  accountId: string,
  change: { email?: string; new_email: string | null },
): Promise<void> {
  // Links to an address no longer pending are void.
  await trx
    .deleteFrom("mail_tokens")
    .where("account_id", "=", accountId)
    .where("purpose", "=", "email_change")
    .execute();
  await trx
    .updateTable("accounts")
    .set({ ...change, updated_at: sql<string>`now()` })
    .where("id", "=", accountId)
    .execute();
}

async function mergeMetadata(trx: Kysely<Tables>, accountId: string, metadata: UserMetadata): Promise<void> {
  await trx
    .updateTable("accounts")
    .set({
      user_metadata: sql<string>`jsonb_strip_nulls(user_metadata || ${JSON.stringify(metadata)}::jsonb)`,
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", accountId)
    .execute();
}
