/** The parameters of an email link, read before the sign-in client removes them from the address. */

const linkParams = new URLSearchParams(location.hash.slice(1));

/** True for a recovery link, which lets the user set a new password. */
export const isRecovery = linkParams.get("type") === "recovery" && linkParams.has("access_token");

let linkProblem = linkParams.has("error_code") ? explain(linkParams) : null;

// Prevents a reload from showing the problem again.
if (linkProblem) history.replaceState(history.state, "", location.pathname + location.search);

/** Returns why the opened link did not work; null without a link or once shown. */
export function readLinkProblem(): string | null {
  return linkProblem;
}

/** Makes `readLinkProblem` return null from now on. */
export function clearLinkProblem(): void {
  linkProblem = null;
}

function explain(params: URLSearchParams): string {
  const isUsedUp = params.get("error_code") === "otp_expired";
  return isUsedUp
    ? "This link has expired or has already been used."
    : params.get("error_description") || "This link is not valid.";
}
