/** What the link of a mail brought along in the address. Read here first: the sign-in client takes it out. */

const said = new URLSearchParams(location.hash.slice(1));

/** True when the page was opened by a recovery link, which is there to set a new password. */
export const isRecovery = said.get("type") === "recovery" && said.has("access_token");

let linkProblem = said.has("error_code") ? explain(said) : null;

// Otherwise a reload would say it again.
if (linkProblem) history.replaceState(history.state, "", location.pathname + location.search);

/** Why the link that was opened opens nothing, for whoever clicked it; null without such a link, or once it was said. */
export function readLinkProblem(): string | null {
  return linkProblem;
}

export function forgetLinkProblem(): void {
  linkProblem = null;
}

function explain(fault: URLSearchParams): string {
  const isUsedUp = fault.get("error_code") === "otp_expired";
  return isUsedUp
    ? "This link has expired or has already been used."
    : fault.get("error_description") || "This link is not valid.";
}
