/** Reads a link's parameters before the sign-in client removes those of an email, and the router rewrites the others. */
import { OPENID_ARRIVAL } from "#contract/accounts/sign-in.ts";

/** An assistant's authorization request, at its address. Includes the question mark. */
export const arrivalQuery = location.search;

const linkParams = new URLSearchParams(location.hash.slice(1));

/** Recovery links let the user set a new password. */
export const isRecovery = linkParams.get("type") === "recovery" && linkParams.has("access_token");

/** After a sign-in at the identity provider: the session is in the cookie. */
export const isSignedInAtProvider = location.hash === `#${OPENID_ARRIVAL}`;

const USED_UP = "otp_expired";

/** False for a problem that another emailed link does not solve. */
export const needsNewLink = [USED_UP, "validation_failed"].includes(linkParams.get("error_code") ?? "");

let linkProblem = linkParams.has("error_code") ? explain(linkParams) : null;

// So that a reload does not show the problem or use the cookie again.
if (linkProblem !== null || isSignedInAtProvider)
  history.replaceState(history.state, "", location.pathname + location.search);

/** Returns null without a problem, or after `clearLinkProblem`. */
export function readLinkProblem(): string | null {
  return linkProblem;
}

export function setLinkProblem(text: string): void {
  linkProblem = text;
}

export function clearLinkProblem(): void {
  linkProblem = null;
}

function explain(params: URLSearchParams): string {
  const isUsedUp = params.get("error_code") === USED_UP;
  return isUsedUp
    ? "This link has expired or has already been used."
    : params.get("error_description") || "This link is not valid.";
}
