import { sql } from "kysely";
import type { AccountSession } from "#contract/account.ts";
import type { Context } from "../../context.ts";
import { type Account, ACCOUNT_COLUMNS, requireEnabled } from "../account.ts";
import { AuthError } from "../auth-error.ts";
import { IDLE_DAYS } from "./refresh-session.ts";

/** `hasSecondStep`: the token was issued after a second step. */
export type SessionClaims = { accountId: string; sessionId: string; hasSecondStep: boolean };

type OpenSession = {
  account: Account;
  /** The session may then only pass the account's second step, or sign out. */
  lacksSecondStep: boolean;
};

/**
 * Runs on every request, so that revocations take effect immediately. Throws AuthError "user_not_found", "user_banned"
 * or "session_not_found".
 */
export async function findSession(context: Pick<Context, "db">, claims: SessionClaims): Promise<OpenSession> {
  const row = await context.db
    .selectFrom("accounts")
    .leftJoin("sessions", (join) =>
      join
        .onRef("sessions.account_id", "=", "accounts.id")
        .on("sessions.id", "=", claims.sessionId)
        .on("sessions.revoked_at", "is", null),
    )
    .select(ACCOUNT_COLUMNS)
    .select(["accounts.disabled_at", "sessions.id as session_id", "sessions.second_step_at"])
    .select(
      sql<boolean>`exists (
        select from factors where factors.account_id = accounts.id and factors.verified_at is not null
      )`.as("has_factor"),
    )
    .where("accounts.id", "=", claims.accountId)
    .executeTakeFirst();
  if (!row) throw new AuthError("user_not_found", "This account no longer exists.");
  const { session_id: sessionId, second_step_at: secondStepAt, has_factor: hasFactor, disabled_at, ...account } = row;
  requireEnabled({ disabled_at });
  if (!sessionId) throw new AuthError("session_not_found", "This session has been signed out.");
  return { account, lacksSecondStep: hasFactor && !(claims.hasSecondStep && secondStepAt) };
}

/** Throws like findSession, and AuthError "insufficient_aal". */
export async function readSession(context: Pick<Context, "db">, claims: SessionClaims): Promise<Account> {
  const { account, lacksSecondStep } = await findSession(context, claims);
  if (lacksSecondStep) throw new AuthError("insufficient_aal", "Enter the code from your authenticator app first.");
  return account;
}

export function listSessions(
  { db }: Pick<Context, "db">,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<AccountSession[]> {
  return db
    .selectFrom("sessions")
    .select(["id", "user_agent as userAgent", "created_at as createdAt", "refreshed_at as lastUsedAt"])
    .select((eb) => eb("id", "=", sessionId).$castTo<boolean>().as("isThisOne"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where("refreshed_at", ">", sql<string>`now() - make_interval(days => ${IDLE_DAYS})`)
    .orderBy("refreshed_at", "desc")
    .orderBy("id")
    .execute();
}
