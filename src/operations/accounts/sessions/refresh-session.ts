import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import { type AccountsContext, requireEnabled } from "../account.ts";
import { AuthError } from "../auth-error.ts";
import { hashToken, type RefreshTokens, rotateRefreshToken } from "./refresh-token.ts";
import { revokeSessions } from "./revoke-sessions.ts";
import { readSignedIn, type SignedIn } from "../sign-in/signed-in.ts";

/** Allows for two tabs that refresh at the same time, and lost responses. */
const REUSE_SECONDS = 10;
export const IDLE_DAYS = 30;

/**
 * The active token's parent, or any token used within the last 10 s, yields the active token; an older one means theft
 * and ends the session. Throws AuthError "refresh_token_not_found", "refresh_token_already_used", "session_not_found",
 * "session_expired" or "user_banned".
 */
export async function refreshSession(
  context: Pick<AccountsContext, "db" | "refreshTokens">,
  token: string,
): Promise<SignedIn> {
  const tokenHash = hashToken(token);
  const result = await context.db.transaction().execute((trx) => exchange(trx, context.refreshTokens, tokenHash));
  // Thrown outside the transaction, to commit the session's end.
  if (result instanceof AuthError) throw result;
  return result;
}

async function exchange(
  trx: Transaction<Tables>,
  tokens: RefreshTokens,
  tokenHash: string,
): Promise<SignedIn | AuthError> {
  const session = await lockSession(trx, tokenHash);
  if (!session) return new AuthError("refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
  // Checked first: disabling also ends the sessions, and the owner should see the real reason.
  requireEnabled(session);
  if (session.revoked_at) return new AuthError("session_not_found", "This session has been signed out.");
  if (session.is_idle) return new AuthError("session_expired", "This session has expired. Sign in again.");
  const presented = await findToken(trx, tokenHash);
  const refreshToken = presented?.used_at
    ? await findActive(trx, tokens, tokenHash, presented.was_used_just_now)
    : await rotateRefreshToken(trx, tokens, { sessionId: session.id, tokenHash });
  if (!refreshToken) {
    await revokeSessions(trx, [session.id]);
    return new AuthError("refresh_token_already_used", "Invalid Refresh Token: Already Used");
  }
  return readSignedIn(trx, session.id, refreshToken);
}

/** Locks the session, so that two tabs take turns. */
function lockSession(trx: Transaction<Tables>, tokenHash: string) {
  return trx
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.account_id")
    .select(["sessions.id", "sessions.revoked_at", "accounts.disabled_at"])
    .select(sql<boolean>`refreshed_at < now() - make_interval(days => ${IDLE_DAYS})`.as("is_idle"))
    .where("sessions.id", "=", (eb) =>
      eb.selectFrom("refresh_tokens").select("session_id").where("token_hash", "=", tokenHash),
    )
    .forUpdate("sessions")
    .executeTakeFirst();
}

function findToken(trx: Transaction<Tables>, tokenHash: string) {
  return trx
    .selectFrom("refresh_tokens")
    .select(["id", "used_at"])
    .select(sql<boolean>`used_at > now() - make_interval(secs => ${REUSE_SECONDS})`.as("was_used_just_now"))
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
}

async function findActive(
  trx: Transaction<Tables>,
  tokens: RefreshTokens,
  usedHash: string,
  mayLookFurther: boolean,
): Promise<string | null> {
  const next = tokens.next(usedHash);
  const nextHash = hashToken(next);
  const found = await findToken(trx, nextHash);
  if (!found) return null;
  if (!found.used_at) return next;
  return mayLookFurther ? findActive(trx, tokens, nextHash, true) : null;
}
