import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import { ACCOUNT_COLUMNS } from "./account.ts";
import { AuthError } from "./auth-error.ts";
import { hashToken, type RefreshTokens } from "./refresh-token.ts";
import { revokeSessions } from "./revoke-sessions.ts";
import type { AccountsContext, SignedIn } from "./sign-in.ts";

/** A token used a moment ago may come again: two tabs refresh at once, or an answer was lost on its way. */
const REUSE_SECONDS = 10;
/** A session that nobody refreshed for so long has ended. */
const IDLE_DAYS = 30;

/**
 * Exchanges a refresh token for the next one. The parent of the active token, and any token used within 10 s, gets the
 * active one; an older one means that a token was stolen, and ends the session.
 * Throws AuthError refresh_token_not_found, refresh_token_already_used, session_not_found or session_expired.
 */
export async function refreshSession(context: AccountsContext, token: string): Promise<SignedIn> {
  const result = await context.db.transaction().execute((trx) => exchange(trx, context.refreshTokens, token));
  // Thrown out here, so that a session's end is committed first.
  if (result instanceof AuthError) throw result;
  return result;
}

async function exchange(trx: Transaction<Tables>, tokens: RefreshTokens, token: string): Promise<SignedIn | AuthError> {
  const session = await lockSession(trx, token);
  if (!session) return new AuthError("refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
  if (session.revoked_at) return new AuthError("session_not_found", "This session has been signed out.");
  if (session.is_idle) return new AuthError("session_expired", "This session has expired. Please sign in again.");
  const presented = await findToken(trx, token);
  const refreshToken = presented?.used_at
    ? await findActive(trx, tokens, token, presented.was_used_just_now)
    : await rotate(trx, tokens, { sessionId: session.id, token });
  if (!refreshToken) {
    await revokeSessions(trx, [session.id]);
    return new AuthError("refresh_token_already_used", "Invalid Refresh Token: Already Used");
  }
  const account = await trx
    .selectFrom("accounts")
    .select(ACCOUNT_COLUMNS)
    .where("id", "=", session.account_id)
    .executeTakeFirstOrThrow();
  return { account, sessionId: session.id, refreshToken };
}

/** The token's session, locked: two tabs take turns. */
function lockSession(trx: Transaction<Tables>, token: string) {
  return trx
    .selectFrom("sessions")
    .select(["id", "account_id", "revoked_at"])
    .select(sql<boolean>`refreshed_at < now() - make_interval(days => ${IDLE_DAYS})`.as("is_idle"))
    .where("id", "=", (eb) =>
      eb.selectFrom("refresh_tokens").select("session_id").where("token_hash", "=", hashToken(token)),
    )
    .forUpdate()
    .executeTakeFirst();
}

function findToken(trx: Transaction<Tables>, token: string) {
  return trx
    .selectFrom("refresh_tokens")
    .select(["id", "used_at"])
    .select(sql<boolean>`used_at > now() - make_interval(secs => ${REUSE_SECONDS})`.as("was_used_just_now"))
    .where("token_hash", "=", hashToken(token))
    .executeTakeFirst();
}

/** The active token, when the used one is its parent or was used just now; else null. */
async function findActive(
  trx: Transaction<Tables>,
  tokens: RefreshTokens,
  used: string,
  mayLookFurther: boolean,
): Promise<string | null> {
  const next = tokens.next(used);
  const found = await findToken(trx, next);
  if (!found) return null;
  if (!found.used_at) return next;
  return mayLookFurther ? findActive(trx, tokens, next, true) : null;
}

async function rotate(
  trx: Transaction<Tables>,
  tokens: RefreshTokens,
  active: { sessionId: string; token: string },
): Promise<string> {
  const next = tokens.next(active.token);
  const used = await trx
    .updateTable("refresh_tokens")
    .set({ used_at: sql<string>`now()` })
    .where("token_hash", "=", hashToken(active.token))
    .returning("id")
    .executeTakeFirstOrThrow();
  await trx
    .insertInto("refresh_tokens")
    .values({ session_id: active.sessionId, token_hash: hashToken(next), parent_id: used.id })
    .execute();
  await trx
    .updateTable("sessions")
    .set({ refreshed_at: sql<string>`now()` })
    .where("id", "=", active.sessionId)
    .execute();
  return next;
}
