/** What the server and the sign-in form agree on. Without zod, which the form does not load. */

/** Part of `/health`: what the sign-in form offers. */
export type SignInOptions = {
  sendsMail: boolean;
  hasPasswords: boolean;
  /** Of the identity provider, for its button; null without one. */
  openIdName: string | null;
};

/** OpenID Connect sign-in: pages that the browser opens. */
export const OPENID_PATHS = {
  /** With `redirect_to`, the page to return to, and `prove=true` to enter the password at the provider again. */
  start: "/auth/v1/oidc/start",
  callback: "/auth/v1/oidc/callback",
  signOut: "/auth/v1/oidc/sign-out",
} as const;

/** The fragment of the page that a sign-in returns to. The session is in the cookie. */
export const OPENID_ARRIVAL = "signed_in=openid";
