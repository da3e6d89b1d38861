import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import { countValidTokens } from "../../tokens/count-valid-tokens.ts";

/** Numbers of valid tokens and links, which work without signing in. */
export type Access = { apiTokens: number; guestLinks: number };

export async function countAccess(db: Kysely<Tables>): Promise<Access> {
  const { guestLinks } = await db
    .selectFrom("guest_links")
    .select(sql<number>`count(*)::int`.as("guestLinks"))
    .where("revoked_at", "is", null)
    .where("expires_at", ">", sql<string>`now()`)
    .executeTakeFirstOrThrow();
  return { apiTokens: await countValidTokens(db), guestLinks };
}
