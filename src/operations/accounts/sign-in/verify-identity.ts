import { sql } from "kysely";
import type { AccountsContext } from "../account.ts";
import { AuthError } from "../auth-error.ts";
import { redeemCode } from "../mail/mail-token.ts";
import { isPassword } from "../password.ts";

/** Sessions proved more recently need no further proof. */
const FRESH_MINUTES = 15;

export type IdentityProof = {
  currentPassword?: string | undefined;
  /** From a reauthentication email. */
  nonce?: string | undefined;
};

/**
 * Requires the current password, an emailed code, or a new session. Throws AuthError "reauthentication_needed",
 * "reauthentication_not_valid", "invalid_credentials", or a throttle's code.
 */
export async function verifyIdentity(
  context: Pick<AccountsContext, "db" | "throttles" | "hashCode">,
  requester: { accountId: string; email: string; sessionId: string; address: string },
  { currentPassword, nonce }: IdentityProof,
): Promise<void> {
  const attempt = { account: requester.email, address: requester.address };
  if (currentPassword !== undefined) {
    await context.throttles.signIn.count(attempt);
    const account = await context.db
      .selectFrom("accounts")
      .select("password_hash")
      .where("id", "=", requester.accountId)
      .executeTakeFirstOrThrow();
    if (!(await isPassword(currentPassword, account.password_hash))) {
      throw new AuthError("invalid_credentials", "The current password is incorrect.");
    }
    await context.throttles.signIn.forgive(attempt);
    return;
  }
  if (nonce) {
    await context.throttles.mailCode.count(attempt);
    const code = { accountId: requester.accountId, code: nonce, purposes: ["reauthentication"] as const };
    if (await redeemCode(context.db, context.hashCode, code)) return;
    throw new AuthError("reauthentication_not_valid", "This code is not valid. Request a new one.");
  }
  const { method, isFresh } = await context.db
    .selectFrom("sessions")
    .select("method")
    .select(sql<boolean>`least(created_at, proved_at) > now() - make_interval(mins => ${FRESH_MINUTES})`.as("isFresh"))
    .where("id", "=", requester.sessionId)
    .executeTakeFirstOrThrow();
  if (isFresh) return;
  const next = method === "oauth" ? "Sign in again" : "Enter your current password";
  throw new AuthError("reauthentication_needed", `${next} to continue.`);
}
