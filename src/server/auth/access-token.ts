import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { AuthError } from "#operations/accounts/auth-error.ts";
import type { SignedIn } from "#operations/accounts/sign-in.ts";
import { deriveKey } from "#operations/derive-key.ts";

export const ACCESS_TOKEN_SECONDS = 3600;
const ALGORITHM = "HS256";
const ISSUER = "clipmill";
export const AUDIENCE = "authenticated";

/** What a valid access token says. `expiresAt` is in Unix seconds. */
export type AccessClaims = { accountId: string; sessionId: string; expiresAt: number };

export type AccessTokens = {
  /** A token for an hour. `expiresAt` is in Unix seconds. */
  issue(signedIn: SignedIn): Promise<{ token: string; expiresAt: number }>;
  /** Checks signature and expiry, not the session. Throws AuthError "bad_jwt". */
  read(token: string): Promise<AccessClaims>;
};

const claimsSchema = z.object({ sub: z.uuid(), session_id: z.uuid(), exp: z.number() });

/** The issuer of this installation. */
export function createAccessTokens(appSecret: string): AccessTokens {
  const key = deriveKey(appSecret, "access tokens");
  return {
    async issue({ account, sessionId }) {
      const issuedAt = Math.floor(Date.now() / 1000);
      const expiresAt = issuedAt + ACCESS_TOKEN_SECONDS;
      const claims = {
        email: account.email,
        phone: "",
        app_metadata: { provider: "email", providers: ["email"] },
        user_metadata: {},
        role: AUDIENCE,
        aal: "aal1",
        amr: [{ method: "password", timestamp: issuedAt }],
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
        return { accountId: claims.sub, sessionId: claims.session_id, expiresAt: claims.exp };
      } catch (cause) {
        throw new AuthError("bad_jwt", describe(cause), { cause });
      }
    },
  };
}

function describe(cause: unknown): string {
  return cause instanceof errors.JWTExpired
    ? "The session's token has expired. Please sign in again."
    : "The session's token is not valid. Please sign in again.";
}
