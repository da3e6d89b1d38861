import { sql } from "kysely";
import type { Context } from "../context.ts";
import { type Account, ACCOUNT_COLUMNS, emailSchema } from "./account.ts";
import { AuthError } from "./auth-error.ts";
import { isPassword, PASSWORD_LIMITS } from "./password.ts";
import { hashToken, type RefreshTokens } from "./refresh-token.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

/** What accounts' verbs need besides the database. */
export type AccountsContext = Pick<Context, "db"> & { refreshTokens: RefreshTokens; throttle: SignInThrottle };

export type SignedIn = { account: Account; sessionId: string; refreshToken: string };

const LONGEST_USER_AGENT = 300;

/**
 * Opens a session for an email and password. `address` is the client's, for the throttle.
 * Throws AuthError "invalid_credentials", the same for an unknown address, or "over_request_rate_limit".
 */
export async function signIn(
  context: AccountsContext,
  request: { email: string; password: string; address: string; userAgent: string | null },
): Promise<SignedIn> {
  const parsedEmail = emailSchema.safeParse(request.email);
  const email = parsedEmail.success ? parsedEmail.data : "";
  await context.throttle.count(email, request.address);
  const known = await context.db
    .selectFrom("accounts")
    .select(["id", "password_hash"])
    .where("email", "=", email)
    .executeTakeFirst();
  const password = request.password.slice(0, PASSWORD_LIMITS.longest + 1);
  const isRight = await isPassword(password, known?.password_hash ?? null);
  if (!known || !isRight) throw new AuthError("invalid_credentials", "Invalid login credentials");
  await context.throttle.forgive(email, request.address);
  return openSession(context, known.id, request.userAgent);
}

function openSession(context: AccountsContext, accountId: string, userAgent: string | null): Promise<SignedIn> {
  const refreshToken = context.refreshTokens.first();
  return context.db.transaction().execute(async (trx) => {
    const account = await trx
      .updateTable("accounts")
      .set({ last_sign_in_at: sql<string>`now()` })
      .where("id", "=", accountId)
      .returning(ACCOUNT_COLUMNS)
      .executeTakeFirstOrThrow();
    const session = await trx
      .insertInto("sessions")
      .values({ account_id: accountId, user_agent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null })
      .returning("id")
      .executeTakeFirstOrThrow();
    await trx
      .insertInto("refresh_tokens")
      .values({ session_id: session.id, token_hash: hashToken(refreshToken) })
      .execute();
    return { account, sessionId: session.id, refreshToken };
  });
}
