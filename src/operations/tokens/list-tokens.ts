import type { ApiToken } from "#contract/api-tokens.ts";
import type { Context } from "../context.ts";

/** Excludes the account and the hash. */
export const TOKEN_COLUMNS = ["id", "name", "scopes", "last4", "created_at", "expires_at", "last_used_at"] as const;

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
