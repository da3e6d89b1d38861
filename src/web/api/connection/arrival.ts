/** Reads a link's parameters before the sign-in client removes those of an email, and the router rewrites the others. */

/** An assistant's authorization request, at its address. Includes the question mark. */
export const arrivalQuery = location.search;

const linkParams = new URLSearchParams(location.hash.slice(1));

/** Recovery links let the user set a new password. */
export const isRecovery = linkParams.get("type") === "recovery" && linkParams.has("access_token");

let linkProblem = linkParams.has("error_code") ? explain(linkParams) : null;

// So that a reload does not show the problem again.
if (linkProblem) history.replaceState(history.state, "", location.pathname + location.search);

/** Returns null without a problem, or after `clearLinkProblem`. */
export function readLinkProblem(): string | null {
  return linkProblem;
}

export function clearLinkProblem(): void {
  linkProblem = null;
}

function explain(params: URLSearchParams): string {
  const isUsedUp = params.get("error_code") === "otp_expired";
  return isUsedUp
    ? "This link has expired or has already been used."
    : params.get("error_description") || "This link is not valid.";
}
