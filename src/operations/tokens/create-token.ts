import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { z } from "zod";
import {
  type ApiToken,
  type CreateTokenResponse,
  type createTokenSchema,
  type revokeTokenSchema,
  TOKEN_PREFIX,
  type TokenScope,
} from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { sha256Of } from "#ground/checksum.ts";
import { endLiveChannels } from "../accounts/sessions/revoke-sessions.ts";
import { verifyIdentity } from "../accounts/sign-in/verify-identity.ts";
import { type ActorContext, type Changing, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { takeBackClaims } from "../workers/token-claims.ts";

const SECRET_BYTES = 32;
const MAX_TOKENS = 100;

/**
 * Only a hash of the returned secret is stored. Throws ClipmillError "invalid", or "too_many" for an account with 100
 * tokens, and like verifyIdentity: the token outlives a stolen access token.
 */
export async function createToken(
  { actor, ...context }: Parameters<typeof verifyIdentity>[0] & ActorContext,
  requester: Parameters<typeof verifyIdentity>[1],
  {
    name,
    scopes,
    worker_labels: workerLabels,
    expires_at: expiresAt = null,
    ...proof
  }: z.output<typeof createTokenSchema>,
): Promise<CreateTokenResponse> {
  const { accountId } = requester;
  await proveForToken(context, requester, { expiresAt, ...proof });
  return await context.db
    .transaction()
    .execute((trx) => insertToken({ trx, actor }, { accountId, name, scopes, workerLabels, expiresAt }));
}

/** For a request that leads to a token. Throws like verifyIdentity, and ClipmillError "invalid" for a past expiry. */
export async function proveForToken(
  context: Parameters<typeof verifyIdentity>[0],
  requester: Parameters<typeof verifyIdentity>[1],
  request: {
    expiresAt: string | null;
    current_password?: string | null | undefined;
    nonce?: string | null | undefined;
  },
): Promise<void> {
  const { expiresAt, current_password: currentPassword, nonce } = request;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    throw new ClipmillError("invalid", "Choose a time in the future for the token to expire.");
  }
  await verifyIdentity(context, requester, {
    currentPassword: currentPassword ?? undefined,
    nonce: nonce ?? undefined,
  });
}

type NewToken = {
  accountId: string;
  name: string;
  scopes: readonly TokenScope[];
  workerLabels?: readonly string[] | null | undefined;
  expiresAt: string | null;
};

/** Requires a proof of identity beforehand. Throws ClipmillError "too_many" for an account with 100 tokens. */
export async function insertToken(
  { trx, actor }: Changing,
  { accountId, name, scopes, workerLabels, expiresAt }: NewToken,
): Promise<CreateTokenResponse> {
  // Concurrent requests must not exceed the limit.
  await trx.selectFrom("accounts").select("id").where("id", "=", accountId).forUpdate().execute();
  await requireRoomForToken(trx, accountId);
  const token = TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
  const data = await trx
    .insertInto("api_tokens")
    .values({
      account_id: accountId,
      name,
      scopes: [...new Set(scopes)],
      worker_labels: workerLabels?.length ? [...workerLabels] : null,
      digest: sha256Of(token),
      last4: token.slice(-4),
      expires_at: expiresAt,
    })
    .returning(TOKEN_COLUMNS)
    .executeTakeFirstOrThrow();
  await writeAudit(trx, actor, { action: "token.create", subjects: [data.id] });
  return { data, token };
}

/** Throws ClipmillError "too_many". */
export async function requireRoomForToken(db: Kysely<Tables>, accountId: string): Promise<void> {
  const { count } = await db
    .selectFrom("api_tokens")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (count < MAX_TOKENS) return;
  throw new ClipmillError("too_many", "An account can have at most 100 tokens. Revoke one that is not used.");
}

/** Excludes the account and the hash. */
const TOKEN_COLUMNS = [
  "id",
  "name",
  "scopes",
  "worker_labels",
  "last4",
  "created_at",
  "expires_at",
  "last_used_at",
] as const;

/** Newest first, with expired ones. */
export function listTokens({ db }: Pick<Context, "db">, accountId: string): Promise<ApiToken[]> {
  return db
    .selectFrom("api_tokens")
    .select(TOKEN_COLUMNS)
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/** Of one account, or of all. Tokens of disabled accounts are not valid. */
export async function countValidTokens(db: Kysely<Tables>, accountId?: string): Promise<number> {
  const { count } = await db
    .selectFrom("api_tokens")
    .innerJoin("accounts", "accounts.id", "account_id")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("disabled_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", sql<string>`now()`)]))
    .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId!))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Also ends the token's live channels, and puts the videos of its workers back. A missing token counts as revoked.
 */
export async function revokeToken(
  { db, queue, actor }: Pick<Context, "db" | "queue"> & ActorContext,
  accountId: string,
  { id }: z.output<typeof revokeTokenSchema>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const mine = trx.selectFrom("api_tokens").select("id").where("id", "=", id).where("account_id", "=", accountId);
    if (!(await mine.forUpdate().executeTakeFirst())) return;
    await writeAudit(trx, actor, { action: "token.revoke", subjects: [id] });
    await takeBackClaims({ queue }, trx, id);
    await trx.deleteFrom("api_tokens").where("id", "=", id).execute();
    await endLiveChannels(trx, [id]);
  });
}
