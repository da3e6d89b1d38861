import type { z } from "zod";
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type CreateTokenResponse, type createTokenSchema, TOKEN_PREFIX } from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import { sha256Of } from "#ground/checksum.ts";
import { verifyIdentity } from "../accounts/sign-in/verify-identity.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import { TOKEN_COLUMNS } from "./list-tokens.ts";

const SECRET_BYTES = 32;
const MAX_TOKENS = 100;

/**
 * Only a hash of the returned secret is stored. Throws ClipmillError "invalid", or "too_many" for an account with 100
 * tokens, and like verifyIdentity: the token outlives a stolen access token.
 */
export async function createToken(
  { actor, ...context }: Parameters<typeof verifyIdentity>[0] & ActorContext,
  requester: Parameters<typeof verifyIdentity>[1],
  { name, scopes, expires_at: expiresAt = null, ...proof }: z.output<typeof createTokenSchema>,
): Promise<CreateTokenResponse> {
  const { accountId } = requester;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    throw new ClipmillError("invalid", "Choose a time in the future for the token to expire.");
  }
  const { current_password: currentPassword, nonce } = proof;
  await verifyIdentity(context, requester, {
    currentPassword: currentPassword ?? undefined,
    nonce: nonce ?? undefined,
  });
  const token = TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
  const data = await context.db.transaction().execute(async (trx) => {
    // Concurrent requests must not exceed the limit.
    await trx.selectFrom("accounts").select("id").where("id", "=", accountId).forUpdate().execute();
    const { count } = await trx
      .selectFrom("api_tokens")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("account_id", "=", accountId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_TOKENS) {
      throw new ClipmillError("too_many", "An account can have at most 100 tokens. Revoke one that is not used.");
    }
    const created = await trx
      .insertInto("api_tokens")
      .values({
        account_id: accountId,
        name,
        scopes: [...new Set(scopes)],
        digest: sha256Of(token),
        last4: token.slice(-4),
        expires_at: expiresAt,
      })
      .returning(TOKEN_COLUMNS)
      .executeTakeFirstOrThrow();
    await writeAudit(trx, actor, { action: "token.create", subjects: [created.id] });
    return created;
  });
  return { data, token };
}
