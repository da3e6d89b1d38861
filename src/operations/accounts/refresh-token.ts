import { createHash, createHmac, randomBytes } from "node:crypto";
import { deriveKey } from "../derive-key.ts";

/**
 * The tokens of a session form a chain: each is made from the one before with the server's key. Only hashes are
 * stored, and yet a second tab that comes with the parent of the active token can be given the active one again.
 */
export type RefreshTokens = {
  /** The first token of a chain. */
  first(): string;
  /** The token that follows; whoever lacks the key cannot tell it. */
  next(token: string): string;
};

/** The token maker of this installation. */
export function createRefreshTokens(appSecret: string): RefreshTokens {
  const key = deriveKey(appSecret, "refresh tokens");
  return {
    first: () => randomBytes(32).toString("base64url"),
    next: (token) => createHmac("sha256", key).update(token).digest("base64url"),
  };
}

/** What is stored of a token. A plain hash is enough: the token holds 32 random bytes. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
