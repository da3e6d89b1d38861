import { OAuthError } from "./oauth-error.ts";

type TokenRequest = {
  code: string;
  clientId: string;
  redirectUri: string;
  codeVerifier: string;
  resource: string | undefined;
};

/** Reads a form (RFC 6749 section 4.1.3). Throws OAuthError. */
export function readTokenRequest(body: string): TokenRequest {
  const form = new URLSearchParams(body);
  const read = (name: string): string => {
    const values = form.getAll(name);
    if (values.length === 1 && values[0] !== "") return values[0]!;
    throw new OAuthError("invalid_request", `Send ${name} once, in a form.`);
  };
  if (read("grant_type") !== "authorization_code") {
    throw new OAuthError("unsupported_grant_type", "The only supported grant_type is authorization_code.");
  }
  return {
    code: read("code"),
    clientId: read("client_id"),
    redirectUri: read("redirect_uri"),
    codeVerifier: read("code_verifier"),
    resource: form.has("resource") ? read("resource") : undefined,
  };
}
