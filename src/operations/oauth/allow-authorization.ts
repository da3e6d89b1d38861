import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import type { AllowAuthorizationResponse, allowAuthorizationSchema } from "#contract/oauth.ts";
import { sha256Of } from "#ground/checksum.ts";
import { proveForToken, requireRoomForToken } from "../tokens/create-token.ts";
import { type OAuthContext, readAuthorization } from "./read-authorization.ts";
import { withParameters } from "./redirect-uris.ts";

const CODE_BYTES = 32;
const CODE_MINUTES = 5;

/**
 * Gives the assistant a code for a token with these scopes. Throws like readAuthorization, like createToken, and
 * ClipmillError "too_many" for an account with 100 tokens.
 */
export async function allowAuthorization(
  context: Parameters<typeof proveForToken>[0] & OAuthContext,
  requester: Parameters<typeof proveForToken>[1],
  request: z.output<typeof allowAuthorizationSchema>,
): Promise<AllowAuthorizationResponse> {
  const { redirectUri, codeChallenge } = readAuthorization(context, request);
  const { scopes, expires_at: expiresAt = null } = request;
  await requireRoomForToken(context.db, requester.accountId);
  await proveForToken(context, requester, { ...request, expiresAt });
  const code = randomBytes(CODE_BYTES).toString("base64url");
  await context.db
    .insertInto("oauth_codes")
    .values({
      digest: sha256Of(code),
      session_id: requester.sessionId,
      client_id: request.client_id,
      redirect_uri: redirectUri,
      code_challenge: codeChallenge,
      resource: context.resource,
      scopes,
      token_expires_at: expiresAt,
      expires_at: sql<string>`now() + make_interval(mins => ${CODE_MINUTES})`,
    })
    .execute();
  // `iss` protects assistants that use several servers (RFC 9207).
  return { redirect_url: withParameters(redirectUri, { code, state: request.state, iss: context.issuer }) };
}
