import { type Kysely, sql } from "kysely";
import { TOTP } from "otpauth";
import type { Tables } from "#database/tables.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import type { AccountsContext } from "../account.ts";
import { AuthError } from "../auth-error.ts";
import { type RefreshTokens, rotateRefreshToken } from "../sessions/refresh-token.ts";
import { revokeSessions } from "../sessions/revoke-sessions.ts";
import { readSignedIn, type SignedIn } from "../sign-in/signed-in.ts";
import { findFactor, sealName } from "./enroll-factor.ts";

const STEP_SECONDS = 30;
/** Also accepts codes of adjacent time steps: clocks differ, and typing takes time. */
const WINDOW_STEPS = 1;

type FactorProof = {
  accountId: string;
  email: string;
  sessionId: string;
  factorId: string;
  challengeId: string;
  code: string;
  /** The client's IP address. */
  address: string;
};

/**
 * Passes the session's second step; a code is valid once. The factor's first correct code activates it and ends
 * sessions without a second step. Throws AuthError "mfa_factor_not_found", "mfa_challenge_expired",
 * "mfa_verification_failed" or "over_request_rate_limit".
 */
export async function verifyFactor(context: AccountsContext, proof: FactorProof): Promise<SignedIn> {
  const attempt = { account: proof.accountId, address: proof.address };
  await context.throttles.secondStep.count(attempt);
  const passing = context.db.transaction().execute(async (trx) => {
    const isFirst = await takeCode(trx, context, proof);
    const refreshToken = await stepUp(trx, context.refreshTokens, proof.sessionId);
    if (isFirst) await endOthers(trx, proof);
    const account = { id: proof.accountId, email: proof.email };
    await writeAudit(trx, account, { action: "second-step.pass", subjects: [proof.factorId] });
    return readSignedIn(trx, proof.sessionId, refreshToken);
  });
  const signedIn = await passing.catch(async (error: unknown) => {
    const isWrongCode = error instanceof AuthError && error.code === "mfa_verification_failed";
    const account = { id: proof.accountId, email: proof.email };
    if (isWrongCode)
      await context.noteFailedProof(context, { action: "second-step.fail", account, address: proof.address });
    throw error;
  });
  await context.throttles.secondStep.forgive(attempt);
  return signedIn;
}

/** Returns true for the factor's first correct code. */
async function takeCode(trx: Kysely<Tables>, context: AccountsContext, proof: FactorProof): Promise<boolean> {
  const factor = await findFactor(trx, proof.accountId, proof.factorId);
  const challenge = await trx
    .deleteFrom("factor_challenges")
    .where("id", "=", proof.challengeId)
    .where("factor_id", "=", factor.id)
    .where("expires_at", ">", sql<string>`now()`)
    .returning("id")
    .executeTakeFirst();
  if (!challenge) throw new AuthError("mfa_challenge_expired", "This took too long. Try again.");
  const totp = new TOTP({ secret: context.secrets.open(sealName(factor.id), factor.sealed_secret) });
  const delta = totp.validate({ token: proof.code, window: WINDOW_STEPS });
  if (delta === null) throw wrongCode();
  const counter = Math.floor(Date.now() / 1000 / STEP_SECONDS) + delta;
  const taken = await trx
    .updateTable("factors")
    .set({
      last_counter: counter,
      verified_at: sql<string>`coalesce(verified_at, now())`,
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", factor.id)
    .where("last_counter", "<", counter)
    .returning("id")
    .executeTakeFirst();
  if (!taken) throw wrongCode();
  return factor.verified_at === null;
}

function wrongCode(): AuthError {
  return new AuthError("mfa_verification_failed", "Invalid TOTP code entered");
}

async function stepUp(trx: Kysely<Tables>, tokens: RefreshTokens, sessionId: string): Promise<string> {
  const stepped = await trx
    .updateTable("sessions")
    .set({ second_step_at: sql<string>`now()` })
    .where("id", "=", sessionId)
    .where("revoked_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (!stepped) throw new AuthError("session_not_found", "This session has been signed out.");
  const { token_hash: tokenHash } = await trx
    .selectFrom("refresh_tokens")
    .select("token_hash")
    .where("session_id", "=", sessionId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return rotateRefreshToken(trx, tokens, { sessionId, tokenHash });
}

async function endOthers(trx: Kysely<Tables>, { accountId, sessionId }: FactorProof): Promise<void> {
  const others = await trx
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", accountId)
    .where("id", "!=", sessionId)
    .where("revoked_at", "is", null)
    .where("second_step_at", "is", null)
    .execute();
  await revokeSessions(
    trx,
    others.map((other) => other.id),
  );
}

const VALID_MINUTES = 5;

/** Throws AuthError "mfa_factor_not_found". */
export async function challengeFactor(
  { db }: Pick<AccountsContext, "db">,
  accountId: string,
  factorId: string,
): Promise<{ id: string; expiresAt: string }> {
  const factor = await findFactor(db, accountId, factorId);
  await db
    .deleteFrom("factor_challenges")
    .where("factor_id", "=", factor.id)
    .where("expires_at", "<", sql<string>`now()`)
    .execute();
  const challenge = await db
    .insertInto("factor_challenges")
    .values({ factor_id: factor.id, expires_at: sql<string>`now() + make_interval(mins => ${VALID_MINUTES})` })
    .returning(["id", "expires_at"])
    .executeTakeFirstOrThrow();
  return { id: challenge.id, expiresAt: challenge.expires_at };
}
