import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

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
