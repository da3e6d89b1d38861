import { sql } from "kysely";
import type { AccountSession } from "#contract/account.ts";
import type { Context } from "../../context.ts";
import { IDLE_DAYS } from "./refresh-session.ts";

export function listSessions(
  { db }: Pick<Context, "db">,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<AccountSession[]> {
  return db
    .selectFrom("sessions")
    .select(["id", "user_agent as userAgent", "created_at as createdAt", "refreshed_at as lastUsedAt"])
    .select((eb) => eb("id", "=", sessionId).$castTo<boolean>().as("isThisOne"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where("refreshed_at", ">", sql<string>`now() - make_interval(days => ${IDLE_DAYS})`)
    .orderBy("refreshed_at", "desc")
    .orderBy("id")
    .execute();
}
