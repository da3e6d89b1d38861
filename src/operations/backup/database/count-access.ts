import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

/** Valid ones that need no sign-in. */
export type Access = { apiTokens: number; guestLinks: number };

export async function countAccess(db: Kysely<Tables>): Promise<Access> {
  const count = sql<number>`count(*)::int`.as("count");
  const now = sql<string>`now()`;
  const tokens = await db
    .selectFrom("api_tokens")
    .innerJoin("accounts", "accounts.id", "account_id")
    .select(count)
    .where("disabled_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  const links = await db
    .selectFrom("guest_links")
    .select(count)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return { apiTokens: tokens.count, guestLinks: links.count };
}
