import type { OpenIdTokens } from "#integrations/open-id-provider.ts";
import { emailSchema } from "../account.ts";
import { AuthError } from "../auth-error.ts";

/** Who may sign in. Lists that are set must all match. */
export type OpenIdRules = {
  /** In lowercase; "*" is every domain. */
  domains: readonly string[];
  groups: readonly string[];
  groupsClaim: string;
  /** Accepts addresses that the provider does not report as verified. */
  trustsEmails: boolean;
};

export type OpenIdIdentity = {
  issuer: string;
  subject: string;
  email: string;
  /** Only then may the identity take over an account with this address. */
  isEmailVerified: boolean;
  /** When the provider last asked for the password; null if it does not report this. */
  provedAt: Date | null;
};

/** Throws AuthError "provider_email_needs_verification" or "signup_disabled" for a person who may not sign in. */
export function readIdentity({ claims }: Pick<OpenIdTokens, "claims">, rules: OpenIdRules): OpenIdIdentity {
  const email = emailSchema.safeParse(claims.email);
  if (!email.success) {
    throw new AuthError(
      "provider_email_needs_verification",
      "The identity provider sent no email address. Ask your administrator to allow the scope “email”.",
    );
  }
  // Some providers send text.
  const isEmailVerified = claims.email_verified === true || claims.email_verified === "true";
  if (!isEmailVerified && !rules.trustsEmails) {
    throw new AuthError(
      "provider_email_needs_verification",
      `The identity provider has not verified ${email.data}. Verify the address there, then sign in again.`,
    );
  }
  if (!isAllowed(email.data, claims[rules.groupsClaim], rules)) {
    throw new AuthError("signup_disabled", `${email.data} may not use Clipmill. Ask your administrator for access.`);
  }
  const { iss: issuer, sub: subject, auth_time: time } = claims;
  const provedAt = typeof time === "number" ? new Date(time * 1000) : null;
  return { issuer, subject, email: email.data, isEmailVerified, provedAt };
}

/** Compares exactly: a subdomain is another domain. */
function isAllowed(email: string, claim: unknown, { domains, groups }: OpenIdRules): boolean {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const isInDomain = domains.length === 0 || domains.includes("*") || domains.includes(domain);
  const memberships = new Set<unknown>([claim].flat());
  const isInGroup = groups.length === 0 || groups.some((group) => memberships.has(group));
  return isInDomain && isInGroup;
}
