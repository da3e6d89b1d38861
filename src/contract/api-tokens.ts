import { z } from "zod";
import { component } from "./component.ts";

export const TOKEN_SCOPES = ["jobs:read", "jobs:write", "sets", "library", "cloak", "settings", "admin"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Distinguishes tokens from sessions' access tokens, and lets scanners find leaked ones. */
export const TOKEN_PREFIX = "clm_";

const proof = z.string().max(1_000).nullish();

/** Without `expires_at`, a token never expires. Sessions older than 15 minutes need a proof. */
export const createTokenSchema = z.object({
  name: z.string().trim().min(1, "Enter a name for the token.").max(100, "The name can have at most 100 characters."),
  scopes: z.array(z.enum(TOKEN_SCOPES)).min(1, "Select at least one permission."),
  expires_at: z.iso.datetime({ offset: true }).nullish().describe("Null: never."),
  current_password: proof,
  nonce: proof.describe("The code that GET /auth/v1/reauthenticate sends by email."),
});

export const revokeTokenSchema = z.object({
  id: z.uuid({ error: "The token ID is missing or not valid." }),
  revoke: z.literal(true),
});

export const ApiToken = component("ApiToken", "Omits the secret. Times are ISO 8601; null means never.", () => ({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  last4: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable().describe("Rounded to the minute."),
}));
export type ApiToken = z.infer<typeof ApiToken>;

export const CreateTokenResponse = component(
  "CreateTokenResponse",
  "`token` is the secret, returned only once.",
  () => ({
    data: ApiToken,
    token: z.string(),
  }),
);
export type CreateTokenResponse = z.infer<typeof CreateTokenResponse>;

export const ListTokensResponse = component("ListTokensResponse", "Newest first.", () => ({ data: z.array(ApiToken) }));
export type ListTokensResponse = z.infer<typeof ListTokensResponse>;
