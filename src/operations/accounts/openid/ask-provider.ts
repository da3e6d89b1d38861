import { OpenIdError, type OpenIdFailure, type OpenIdProvider } from "#integrations/open-id-provider.ts";
import type { AccountsContext } from "../account.ts";
import { AuthError } from "../auth-error.ts";
import type { OpenIdSignIn } from "./open-id-sign-in.ts";

/** Logs failures without secrets. Throws AuthError "bad_oauth_state" or "bad_oauth_callback" with the person's sentence. */
export async function askProvider<Result>(
  { log }: Pick<AccountsContext, "log">,
  { name, provider }: Pick<OpenIdSignIn, "name" | "provider">,
  ask: (provider: OpenIdProvider) => Promise<Result>,
): Promise<Result> {
  try {
    return await ask(provider);
  } catch (error) {
    if (!(error instanceof OpenIdError)) throw error;
    const { failure, facts } = error;
    log.warn({ failure, ...facts }, "the OpenID provider could not be used");
    throw failure === "expired" ? staleSignIn() : new AuthError("bad_oauth_callback", SENTENCES[failure](name));
  }
}

export function staleSignIn(): AuthError {
  return new AuthError("bad_oauth_state", "This sign-in has expired, or was started in another tab. Sign in again.");
}

const SENTENCES: Record<Exclude<OpenIdFailure, "expired">, (name: string) => string> = {
  unreachable: (name) => `${name} could not be reached. Try again in a moment.`,
  denied: (name) => `${name} did not sign you in.`,
  rejected_client: (name) => `${name} rejected Clipmill's client ID or secret. Ask your administrator.`,
  invalid: (name) => `The response of ${name} is not valid. Ask your administrator.`,
};
