/** How an assistant that has only the address of `/mcp` finds out how to sign in (RFC 9728, RFC 8414). */
import { createMiddleware } from "hono/factory";
import { ASSISTANT_SCOPES, TOOL_SCOPES } from "#contract/oauth.ts";
import { requestOrigin } from "../requests/request-origin.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

export const MCP_PATH = "/mcp";
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";
export const SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server";
export const REGISTRATION_PATH = "/oauth/register";
export const TOKEN_PATH = "/oauth/token";
/** A screen of the web app. */
export const AUTHORIZATION_PATH = "/oauth/authorize";

export function describeResource(origin: string): Record<string, unknown> {
  return {
    resource: origin + MCP_PATH,
    resource_name: "Clipmill",
    authorization_servers: [origin],
    scopes_supported: ASSISTANT_SCOPES,
    bearer_methods_supported: ["header"],
  };
}

export function describeAuthorizationServer(origin: string): Record<string, unknown> {
  return {
    issuer: origin,
    authorization_endpoint: origin + AUTHORIZATION_PATH,
    token_endpoint: origin + TOKEN_PATH,
    registration_endpoint: origin + REGISTRATION_PATH,
    scopes_supported: TOOL_SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Adds to each 401 where an assistant finds out how to sign in (RFC 9728 section 5.1). */
export function challenge(server: ServerContext) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    await next();
    if (c.res.status !== 401) return;
    const parts = [
      `resource_metadata="${requestOrigin(server, c)}${RESOURCE_METADATA_PATH}${MCP_PATH}"`,
      `scope="${ASSISTANT_SCOPES.join(" ")}"`,
      ...(c.req.header("authorization") === undefined ? [] : ['error="invalid_token"']),
    ];
    c.header("WWW-Authenticate", `Bearer ${parts.join(", ")}`);
  });
}
