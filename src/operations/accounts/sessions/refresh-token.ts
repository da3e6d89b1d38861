import { createHmac, randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import { sha256Of } from "#ground/checksum.ts";
import { deriveKey } from "../../derive-key.ts";

/**
 * Each token derives from its predecessor's stored hash with the server's key: only hashes are stored, yet the active
 * token's parent yields the active token.
 */
export type RefreshTokens = {
  first(): string;
  next(tokenHash: string): string;
};

/** Servers need the same secret: under another one, reusing a token ends the session. */
export function createRefreshTokens(appSecret: string): RefreshTokens {
  const key = deriveKey(appSecret, "refresh tokens");
  return {
    first: () => randomBytes(32).toString("base64url"),
    next: (tokenHash) => createHmac("sha256", key).update(tokenHash).digest("base64url"),
  };
}

/** A plain hash is enough for 32 random bytes. */
export function hashToken(token: string): string {
  return sha256Of(token, "base64url");
}

/** The caller holds the lock on the session's row. */
export async function rotateRefreshToken(
  trx: Kysely<Tables>,
  tokens: RefreshTokens,
  active: { sessionId: string; tokenHash: string },
): Promise<string> {
  const next = tokens.next(active.tokenHash);
  const used = await trx
    .updateTable("refresh_tokens")
    .set({ used_at: sql<string>`now()` })
    .where("token_hash", "=", active.tokenHash)
    .returning("id")
    .executeTakeFirstOrThrow();
  await trx
    .insertInto("refresh_tokens")
    .values({ session_id: active.sessionId, token_hash: hashToken(next), parent_id: used.id })
    .execute();
  await trx
    .updateTable("sessions")
    .set({ refreshed_at: sql<string>`now()` })
    .where("id", "=", active.sessionId)
    .execute();
  return next;
}
