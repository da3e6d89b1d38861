/** Function tokens: keys with which programs call the API. */
import { z } from "zod";

/** What a token may do. Every route of the server states the one that it needs. */
export const TOKEN_SCOPES = ["jobs:read", "jobs:write", "sets", "library", "cloak", "settings", "admin"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Distinguishes tokens from the access tokens of sessions, and lets scanners find leaked ones. */
export const TOKEN_PREFIX = "clm_";

/** `expires_at` null or absent: never. */
export const createTokenSchema = z.object({
  name: z.string().trim().min(1, "Enter a name for the token.").max(100, "The name can have at most 100 characters."),
  scopes: z.array(z.enum(TOKEN_SCOPES)).min(1, "Select at least one permission."),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
});

export const revokeTokenSchema = z.object({
  id: z.uuid({ error: "The token ID is missing or not valid." }),
  revoke: z.literal(true),
});

/** A token without its secret. Times are ISO 8601; null for never. */
export type ApiToken = {
  id: string;
  name: string;
  scopes: TokenScope[];
  /** The secret's last characters. */
  last4: string;
  created_at: string;
  expires_at: string | null;
  /** To the minute. */
  last_used_at: string | null;
};

/** `token` is the secret, which is never shown again. */
export type CreateTokenResponse = { data: ApiToken; token: string };
/** Newest first. */
export type ListTokensResponse = { data: ApiToken[] };
