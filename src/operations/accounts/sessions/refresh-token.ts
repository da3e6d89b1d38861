import { createHmac, randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import { sha256Of } from "#ground/checksum.ts";
import { deriveKey } from "../../derive-key.ts";

/**
 * The tokens of a session form a chain: each is made from the stored hash of the one before with the server's key. Only
 * hashes are stored, and yet a second tab that comes with the parent of the active token can be given the active one
 * again.
 */
export type RefreshTokens = {
  /** The first token of a chain. */
  first(): string;
  /** The token that follows the one with this hash; whoever lacks the key cannot tell it. */
  next(tokenHash: string): string;
};

/** The token maker of this installation. */
export function createRefreshTokens(appSecret: string): RefreshTokens {
  const key = deriveKey(appSecret, "refresh tokens");
  return {
    first: () => randomBytes(32).toString("base64url"),
    next: (tokenHash) => createHmac("sha256", key).update(tokenHash).digest("base64url"),
  };
}

/** What is stored of a token. A plain hash is enough: the token holds 32 random bytes. */
export function hashToken(token: string): string {
  return sha256Of(token, "base64url");
}

/** Marks the session's active token as used and returns the one that follows. The session's row is locked by the caller. */
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
