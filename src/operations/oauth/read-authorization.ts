import { type ApiScope, TOKEN_SCOPES } from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import { ASSISTANT_SCOPES, type AuthorizationRequest, type AuthorizationResponse } from "#contract/oauth.ts";
import type { ClientIds, OAuthClient } from "./client-ids.ts";
import { describeTarget, isRegistered, withParameters } from "./redirect-uris.ts";

/** `issuer` is this server's origin, and `resource` its address for assistants. */
export type OAuthContext = { clientIds: ClientIds; issuer: string; resource: string };

export type Authorization = { client: OAuthClient; redirectUri: string; codeChallenge: string; scopes: ApiScope[] };

/** A SHA-256 as base64url (RFC 7636 section 4.2). */
const S256 = /^[\w-]{43}$/;

/**
 * Checks an assistant's request. Errors never redirect: anyone can register any address. Throws ClipmillError "invalid".
 */
export function readAuthorization(context: OAuthContext, request: AuthorizationRequest): Authorization {
  const client = context.clientIds.read(request.client_id);
  if (!client) {
    throw new ClipmillError(
      "invalid",
      "The assistant is not registered with this server. Remove Clipmill from the assistant, then add it again.",
    );
  }
  if (!isRegistered(client.redirectUris, request.redirect_uri)) {
    throw new ClipmillError("invalid", "The redirect URI is not one that the assistant registered.");
  }
  if (request.response_type !== "code") throw new ClipmillError("invalid", "response_type must be code.");
  const { code_challenge: codeChallenge = "", code_challenge_method: method } = request;
  if (method !== "S256" || !S256.test(codeChallenge)) {
    throw new ClipmillError("invalid", "The assistant must use PKCE with the method S256.");
  }
  if (!isResource(request.resource, context.resource)) {
    throw new ClipmillError("invalid", `The assistant asks for access to another server than ${context.resource}.`);
  }
  return { client, redirectUri: request.redirect_uri, codeChallenge, scopes: readScopes(request.scope) };
}

/** Absent from clients of MCP before June 2025; this server has only one resource. */
export function isResource(requested: string | undefined, resource: string): boolean {
  if (requested === undefined) return true;
  // The scheme and the host may be in uppercase.
  return URL.parse(requested)?.href.replace(/\/$/, "") === resource;
}

/** Ignores unknown scopes. */
function readScopes(scope = ""): ApiScope[] {
  const asked = new Set(scope.split(" "));
  const known = TOKEN_SCOPES.filter((one) => asked.has(one));
  return known.length > 0 ? known : [...ASSISTANT_SCOPES];
}

/** Returns what the operator decides about. Throws like readAuthorization. */
export function checkAuthorization(context: OAuthContext, request: AuthorizationRequest): AuthorizationResponse {
  const { client, redirectUri, scopes } = readAuthorization(context, request);
  const target = describeTarget(redirectUri);
  const denial = { error: "access_denied", state: request.state, iss: context.issuer };
  // Nobody who denies access wants an app to open.
  const denyUrl = target.kind === "app" ? null : withParameters(redirectUri, denial);
  return { data: { client_name: client.name, target, scopes, deny_url: denyUrl } };
}
