import { sql, type Transaction } from "kysely";
import type { CreateTokenResponse } from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { sha256Of } from "#ground/checksum.ts";
import { CLIPMILL } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { insertToken, revokeToken } from "../tokens/create-token.ts";
import { isResource } from "./read-authorization.ts";

type Exchange = {
  code: string;
  clientId: string;
  /** The client's, for the token. */
  name: string;
  redirectUri: string;
  codeVerifier: string;
  resource: string | undefined;
};

/**
 * Creates the API token that a code was issued for. A code that is used again, with everything it is bound to, revokes
 * that token: one of both users stole it (RFC 6749 section 4.1.2). Throws ClipmillError "not_found" for a code that is not valid, whatever the reason,
 * and "too_many" for an account with 100 tokens.
 */
export async function exchangeCode(
  { db, queue }: Pick<Context, "db" | "queue">,
  exchange: Exchange,
): Promise<CreateTokenResponse> {
  const result = await db.transaction().execute(async (trx) => {
    const found = await lockCode(trx, exchange);
    if (!found || !fits(found, exchange)) return null;
    const { account_id: accountId, email, scopes, token_expires_at: expiresAt } = found;
    if (found.used_at !== null) return { accountId, stolen: found.token_id };
    if (!found.is_valid) return null;
    const actor = { id: accountId, email };
    const token = await insertToken({ trx, actor }, { accountId, name: exchange.name, scopes, expiresAt });
    await trx
      .updateTable("oauth_codes")
      .set({ used_at: sql<string>`now()`, token_id: token.data.id })
      .where("digest", "=", sha256Of(exchange.code))
      .execute();
    return token;
  });
  if (result && "token" in result) return result;
  // Deleting a token locks its code, so it must not happen while the code is locked.
  if (result?.stolen)
    await revokeToken({ db, queue, actor: CLIPMILL }, result.accountId, { id: result.stolen, revoke: true });
  throw new ClipmillError("not_found", "The code is not valid, has expired or was used before. Sign in again.");
}

/**
 * The second of concurrent exchanges waits here, and then finds the code used. A sign-out at the same time comes entirely
 * before or after.
 */
function lockCode(trx: Transaction<Tables>, { code, clientId }: Exchange) {
  return trx
    .selectFrom("oauth_codes")
    .innerJoin("sessions", "sessions.id", "session_id")
    .innerJoin("accounts", "accounts.id", "account_id")
    .selectAll("oauth_codes")
    .select(["accounts.id as account_id", "accounts.email"])
    .select(sql<boolean>`oauth_codes.expires_at > now() and revoked_at is null and disabled_at is null`.as("is_valid"))
    .where("digest", "=", sha256Of(code))
    .where("client_id", "=", clientId)
    .forUpdate(["accounts", "sessions", "oauth_codes"])
    .executeTakeFirst();
}

function fits(
  bound: { redirect_uri: string; resource: string; code_challenge: string },
  { redirectUri, resource, codeVerifier }: Exchange,
): boolean {
  return (
    redirectUri === bound.redirect_uri &&
    isResource(resource, bound.resource) &&
    sha256Of(codeVerifier, "base64url") === bound.code_challenge
  );
}
