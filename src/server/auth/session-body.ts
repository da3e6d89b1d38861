import type { Account } from "#operations/accounts/account.ts";
import type { SignedIn } from "#operations/accounts/sign-in.ts";
import { ACCESS_TOKEN_SECONDS, type AccessTokens, AUDIENCE } from "./access-token.ts";

/** A session in the sign-in protocol's form, with a fresh access token. */
export async function toSessionBody(accessTokens: AccessTokens, signedIn: SignedIn, refreshToken: string) {
  const { token, expiresAt } = await accessTokens.issue(signedIn);
  return {
    access_token: token,
    token_type: "bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: toUserBody(signedIn.account),
  };
}

/** An account in the sign-in protocol's form. */
export function toUserBody(account: Account) {
  const { id, email, created_at: createdAt, updated_at: updatedAt, last_sign_in_at: lastSignInAt } = account;
  return {
    id,
    aud: AUDIENCE,
    role: AUDIENCE,
    email,
    email_confirmed_at: createdAt,
    phone: "",
    confirmed_at: createdAt,
    last_sign_in_at: lastSignInAt,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: {},
    identities: [
      {
        identity_id: id,
        id,
        user_id: id,
        identity_data: { email, email_verified: true, phone_verified: false, sub: id },
        provider: "email",
        last_sign_in_at: lastSignInAt,
        created_at: createdAt,
        updated_at: updatedAt,
        email,
      },
    ],
    factors: [],
    created_at: createdAt,
    updated_at: updatedAt,
    is_anonymous: false,
  };
}
