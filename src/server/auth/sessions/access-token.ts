import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { AuthError } from "#operations/accounts/auth-error.ts";
import type { SessionClaims } from "#operations/accounts/sessions/read-session.ts";
import type { SignedIn } from "#operations/accounts/sign-in/signed-in.ts";
import { deriveKey } from "#operations/derive-key.ts";

export const ACCESS_TOKEN_SECONDS = 3600;
const ALGORITHM = "HS256";
const ISSUER = "clipmill";
const SECOND_LEVEL = "aal2";
export const AUDIENCE = "authenticated";

/** In Unix seconds. */
export type AccessClaims = SessionClaims & { expiresAt: number };

export type AccessTokens = {
  /** Valid for one hour. `expiresAt` is in Unix seconds. */
  issue(signedIn: SignedIn): Promise<{ token: string; expiresAt: number }>;
  /** Verifies signature and expiry, not the session. Throws AuthError "bad_jwt". */
  read(token: string): Promise<AccessClaims>;
};

const claimsSchema = z.object({ sub: z.uuid(), session_id: z.uuid(), aal: z.string(), exp: z.number() });

/** Derives the key from the app secret: a new secret invalidates all tokens. */
export function createAccessTokens(appSecret: string): AccessTokens {
  const key = deriveKey(appSecret, "access tokens");
  return {
    async issue({ account, sessionId, method, provedAt, secondStepAt }) {
      const issuedAt = Math.floor(Date.now() / 1000);
      const expiresAt = issuedAt + ACCESS_TOKEN_SECONDS;
      const claims = {
        email: account.email,
        phone: "",
        app_metadata: { provider: "email", providers: ["email"] },
        user_metadata: account.user_metadata,
        role: AUDIENCE,
        aal: secondStepAt ? SECOND_LEVEL : "aal1",
        amr: [
          { method, timestamp: toSeconds(provedAt) },
          ...(secondStepAt ? [{ method: "totp", timestamp: toSeconds(secondStepAt) }] : []),
        ],
        session_id: sessionId,
        is_anonymous: false,
      };
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(account.id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt };
    },
    async read(token) {
      try {
        const options = { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE };
        const { payload } = await jwtVerify(token, key, options);
        const claims = claimsSchema.parse(payload);
        const { sub: accountId, session_id: sessionId, exp: expiresAt } = claims;
        return { accountId, sessionId, hasSecondStep: claims.aal === SECOND_LEVEL, expiresAt };
      } catch (cause) {
        throw new AuthError("bad_jwt", describe(cause), { cause });
      }
    },
  };
}

function toSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}

function describe(cause: unknown): string {
  return cause instanceof errors.JWTExpired
    ? "The access token has expired. Sign in again."
    : "The access token is not valid. Sign in again.";
}
