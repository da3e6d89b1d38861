import { Hono } from "hono";
import { readRegistration } from "#operations/oauth/client-ids.ts";
import { exchangeCode } from "#operations/oauth/exchange-code.ts";
import { clientAddress } from "../requests/client-address.ts";
import { createGuessLimit } from "../requests/guess-limit.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import { requestOrigin } from "../requests/request-origin.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { allowOtherOrigins } from "./allow-other-origins.ts";
import {
  describeAuthorizationServer,
  describeResource,
  MCP_PATH,
  REGISTRATION_PATH,
  RESOURCE_METADATA_PATH,
  SERVER_METADATA_PATH,
  TOKEN_PATH,
} from "./metadata.ts";
import { handleOAuthError, OAuthError, rethrowAs } from "./oauth-error.ts";
import { readTokenRequest } from "./token-request.ts";

/** Serves OAuth 2.1 for assistants, except for the consent: a screen that calls the function `oauth`. */
export function oauthRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError(handleOAuthError(server.log));

  for (const path of [RESOURCE_METADATA_PATH, RESOURCE_METADATA_PATH + MCP_PATH]) {
    app.on(["GET", "OPTIONS"], path, allowOtherOrigins, (c) => c.json(describeResource(requestOrigin(server, c))));
  }
  app.on(["GET", "OPTIONS"], SERVER_METADATA_PATH, allowOtherOrigins, (c) =>
    c.json(describeAuthorizationServer(requestOrigin(server, c))),
  );

  app.on(["POST", "OPTIONS"], REGISTRATION_PATH, allowOtherOrigins, limitBody(1), async (c) => {
    const metadata = await readJson(c).catch(rethrowAs("invalid", "invalid_client_metadata"));
    const client = await Promise.try(readRegistration, metadata).catch(rethrowAs("invalid", "invalid_redirect_uri"));
    return c.json(
      {
        client_id: server.clientIds.issue(client),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
      201,
    );
  });

  const guesses = createGuessLimit("codes");
  app.on(["POST", "OPTIONS"], TOKEN_PATH, allowOtherOrigins, limitBody(1), async (c) => {
    const request = readTokenRequest(await c.req.text());
    const client = server.clientIds.read(request.clientId);
    if (!client) throw new OAuthError("invalid_client", "This client_id is not registered with this server.", 401);
    const { data, token } = await guesses
      .check({ address: clientAddress(c), token: request.code }, () =>
        exchangeCode(server, { ...request, name: client.name }),
      )
      .catch(rethrowAs("not_found", "invalid_grant"));
    const { scopes, expires_at: expiresAt } = data;
    return c.json({
      access_token: token,
      token_type: "Bearer",
      ...(expiresAt !== null && { expires_in: Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000) }),
      scope: scopes.join(" "),
    });
  });
  return app;
}
