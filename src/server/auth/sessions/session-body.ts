import type { Account } from "#operations/accounts/account.ts";
import type { Factor } from "#operations/accounts/second-step/enroll-factor.ts";
import type { SignedIn } from "#operations/accounts/sign-in/signed-in.ts";
import { ACCESS_TOKEN_SECONDS, type AccessTokens, AUDIENCE } from "./access-token.ts";

/** PROTOCOL 1.2. `refreshToken` may be the placeholder. */
export async function toSessionBody(accessTokens: AccessTokens, signedIn: SignedIn, refreshToken: string) {
  const { token, expiresAt } = await accessTokens.issue(signedIn);
  return {
    access_token: token,
    token_type: "bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: toUserBody(signedIn.account, signedIn.factors),
  };
}

/** PROTOCOL 1.2. `new_email` is present only while unconfirmed. */
export function toUserBody(account: Account, factors: Factor[]) {
  const confirmedAt = account.email_confirmed_at;
  const { id, email, created_at: createdAt, updated_at: updatedAt, last_sign_in_at: lastSignInAt } = account;
  return {
    id,
    aud: AUDIENCE,
    role: AUDIENCE,
    email,
    email_confirmed_at: confirmedAt,
    ...(account.new_email !== null && { new_email: account.new_email }),
    phone: "",
    confirmed_at: confirmedAt,
    last_sign_in_at: lastSignInAt,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: account.user_metadata,
    identities: [
      {
        identity_id: id,
        id,
        user_id: id,
        identity_data: { email, email_verified: confirmedAt !== null, phone_verified: false, sub: id },
        provider: "email",
        last_sign_in_at: lastSignInAt,
        created_at: createdAt,
        updated_at: updatedAt,
        email,
      },
    ],
    factors: factors.map((factor) => ({ ...factor, factor_type: "totp" })),
    created_at: createdAt,
    updated_at: updatedAt,
    is_anonymous: false,
  };
}
