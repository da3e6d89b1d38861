import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { type AccountsContext, emailSchema, requireEnabled, requirePasswords } from "../account.ts";
import { AuthError } from "../auth-error.ts";
import { isPassword } from "../password.ts";
import { revokeSessions } from "../sessions/revoke-sessions.ts";
import { openSession, type SignedIn } from "./signed-in.ts";

/**
 * `address` is the client's IP address. Throws AuthError "invalid_credentials" (also for an unknown email),
 * "over_request_rate_limit", "email_provider_disabled", and, with the right password, "user_banned" or "email_not_confirmed".
 */
export async function signIn(
  context: AccountsContext,
  request: { email: string; password: string; address: string; userAgent: string | null },
): Promise<SignedIn> {
  requirePasswords(context);
  const parsedEmail = emailSchema.safeParse(request.email);
  const email = parsedEmail.success ? parsedEmail.data : "";
  const attempt = { account: email, address: request.address };
  await context.throttles.signIn.count(attempt);
  const known = await context.db
    .selectFrom("accounts")
    .select(["id", "password_hash", "disabled_at", "email_confirmed_at"])
    .where("email", "=", email)
    .executeTakeFirst();
  const isRight = await isPassword(request.password, known?.password_hash ?? null);
  if (!known || !isRight) {
    const account = { id: known?.id ?? null, email };
    if (email)
      await context.noteFailedProof(context, { action: "account.sign-in-failed", account, address: request.address });
    throw invalidCredentials();
  }
  await context.throttles.signIn.forgive(attempt);
  requireEnabled(known);
  if (!known.email_confirmed_at) throw new AuthError("email_not_confirmed", "Email not confirmed");
  const opening = { accountId: known.id, method: "password", userAgent: request.userAgent } as const;
  return context.db.transaction().execute(async (trx) => {
    await lockUnchanged(trx, known);
    const signedIn = await openSession(trx, context.refreshTokens, opening);
    await writeAudit(trx, signedIn.account, { action: "account.sign-in" });
    return signedIn;
  });
}

/** Meanwhile, the password may have changed or the account been disabled, which ends only sessions that are open. */
async function lockUnchanged(trx: Kysely<Tables>, known: { id: string; password_hash: string }): Promise<void> {
  const unchanged = await trx
    .selectFrom("accounts")
    .select("id")
    .where("id", "=", known.id)
    .where("password_hash", "=", known.password_hash)
    .where("disabled_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (!unchanged) throw invalidCredentials();
}

function invalidCredentials(): AuthError {
  return new AuthError("invalid_credentials", "Invalid login credentials");
}

export const SIGN_OUT_SCOPES = ["local", "others", "global"] as const;
type SignOutScope = (typeof SIGN_OUT_SCOPES)[number];

export function signOut(
  { db, actor }: Pick<Context, "db"> & ActorContext,
  session: { accountId: string; sessionId: string },
  scope: SignOutScope,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await endSessions(trx, session, scope);
    await writeAudit(trx, actor, { action: "account.sign-out" });
  });
}

/** Like signOut, in the caller's transaction and without an audit entry. */
export async function endSessions(
  db: Kysely<Tables>,
  session: { accountId: string; sessionId: string },
  scope: SignOutScope,
): Promise<void> {
  const ended = await db
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", session.accountId)
    .where("revoked_at", "is", null)
    .$if(scope === "local", (query) => query.where("id", "=", session.sessionId))
    .$if(scope === "others", (query) => query.where("id", "!=", session.sessionId))
    .execute();
  await revokeSessions(
    db,
    ended.map((row) => row.id),
  );
}
