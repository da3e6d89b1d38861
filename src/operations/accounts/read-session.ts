import type { Context } from "../context.ts";
import { type Account, ACCOUNT_COLUMNS } from "./account.ts";
import { AuthError } from "./auth-error.ts";

/**
 * The account behind a session that still stands: asked on each request, so that a sign-out holds at once.
 * Throws AuthError "user_not_found" or "session_not_found".
 */
export async function readSession(
  context: Pick<Context, "db">,
  session: { accountId: string; sessionId: string },
): Promise<Account> {
  const row = await context.db
    .selectFrom("accounts")
    .leftJoin("sessions", (join) =>
      join
        .onRef("sessions.account_id", "=", "accounts.id")
        .on("sessions.id", "=", session.sessionId)
        .on("sessions.revoked_at", "is", null),
    )
    .select(ACCOUNT_COLUMNS)
    .select("sessions.id as session_id")
    .where("accounts.id", "=", session.accountId)
    .executeTakeFirst();
  if (!row) throw new AuthError("user_not_found", "This account no longer exists.");
  const { session_id: sessionId, ...account } = row;
  if (!sessionId) throw new AuthError("session_not_found", "This session has been signed out.");
  return account;
}
