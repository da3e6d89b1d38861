import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import { type Account, ACCOUNT_COLUMNS } from "../account.ts";
import { type Factor, listFactors } from "../second-step/enroll-factor.ts";
import { hashToken, type RefreshTokens } from "../sessions/refresh-token.ts";

export type SignInMethod = "password" | "otp" | "oauth";

/** `provedAt`: when the session passed its first step. */
export type SignedIn = {
  account: Account;
  factors: Factor[];
  sessionId: string;
  method: SignInMethod;
  provedAt: string;
  secondStepAt: string | null;
  refreshToken: string;
};

const MAX_USER_AGENT_LENGTH = 300;
/** Twice IDLE_DAYS. */
const KEPT_DAYS = 60;

/** Call it in a transaction, after authentication. `provedAt` is only for a proof before the session. */
export async function openSession(
  trx: Kysely<Tables>,
  tokens: RefreshTokens,
  opening: { accountId: string; method: SignInMethod; userAgent: string | null; provedAt?: Date | null },
): Promise<SignedIn> {
  const refreshToken = tokens.first();
  await trx
    .updateTable("accounts")
    .set({ last_sign_in_at: sql<string>`now()` })
    .where("id", "=", opening.accountId)
    .execute();
  await forgetOldSessions(trx, opening.accountId);
  const session = await trx
    .insertInto("sessions")
    .values({
      account_id: opening.accountId,
      method: opening.method,
      proved_at: opening.provedAt?.toISOString() ?? null,
      user_agent: opening.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await trx
    .insertInto("refresh_tokens")
    .values({ session_id: session.id, token_hash: hashToken(refreshToken) })
    .execute();
  return readSignedIn(trx, session.id, refreshToken);
}

async function forgetOldSessions(trx: Kysely<Tables>, accountId: string): Promise<void> {
  await trx
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .where("refreshed_at", "<", sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}

/** Does not check that the session is still valid. Throws Kysely's NoResultError if it does not exist. */
export async function readSignedIn(db: Kysely<Tables>, sessionId: string, refreshToken: string): Promise<SignedIn> {
  const { method, proved_at, second_step_at, ...account } = await db
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.account_id")
    .select(ACCOUNT_COLUMNS)
    .select(["sessions.method", "sessions.second_step_at"])
    .select(sql<string>`least(sessions.created_at, sessions.proved_at)`.as("proved_at"))
    .where("sessions.id", "=", sessionId)
    .executeTakeFirstOrThrow();
  const factors = await listFactors(db, account.id);
  return { account, factors, sessionId, method, provedAt: proved_at, secondStepAt: second_step_at, refreshToken };
}
