import { sql } from "kysely";
import type { AccountsContext } from "../accounts-context.ts";
import { AuthError } from "../auth-error.ts";
import { redeemCode } from "../mail/mail-token.ts";
import { isPassword } from "../password.ts";

/** A session may change how one signs in for so long without proving again who holds it. */
const FRESH_MINUTES = 15;

export type IdentityProof = {
  /** The password as it is. */
  currentPassword?: string | undefined;
  /** The code of a reauthentication mail. */
  nonce?: string | undefined;
};

/**
 * Requires that whoever is about to change how one signs in is the account's owner, and not somebody at an unlocked
 * screen: by the current password, a mailed code, or a session that began just now. Throws AuthError
 * "reauthentication_needed", "reauthentication_not_valid", "invalid_credentials", or of a throttle.
 */
export async function proveIdentity(
  context: Pick<AccountsContext, "db" | "throttles" | "hashCode">,
  asking: { accountId: string; email: string; sessionId: string; address: string },
  { currentPassword, nonce }: IdentityProof,
): Promise<void> {
  const attempt = { account: asking.email, address: asking.address };
  if (currentPassword !== undefined) {
    await context.throttles.signIn.count(attempt);
    const account = await context.db
      .selectFrom("accounts")
      .select("password_hash")
      .where("id", "=", asking.accountId)
      .executeTakeFirstOrThrow();
    if (!(await isPassword(currentPassword, account.password_hash))) {
      throw new AuthError("invalid_credentials", "The current password is incorrect.");
    }
    await context.throttles.signIn.forgive(attempt);
    return;
  }
  if (nonce) {
    await context.throttles.mailCode.count(attempt);
    const code = { accountId: asking.accountId, code: nonce, purposes: ["reauthentication"] as const };
    if (await redeemCode(context.db, context.hashCode, code)) return;
    throw new AuthError("reauthentication_not_valid", "This code is not valid. Request a new one.");
  }
  const fresh = await context.db
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", asking.sessionId)
    .where("created_at", ">", sql<string>`now() - make_interval(mins => ${FRESH_MINUTES})`)
    .executeTakeFirst();
  if (!fresh) throw new AuthError("reauthentication_needed", "Enter your current password to change this.");
}
