import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import { revokeSessions } from "./revoke-sessions.ts";

/** This session, all others of the account, or all of them. */
export const SIGN_OUT_SCOPES = ["local", "others", "global"] as const;
export type SignOutScope = (typeof SIGN_OUT_SCOPES)[number];

/** Ends sessions of an account. Their access tokens are refused from the next request on. */
export async function signOut(
  db: Kysely<Tables>,
  session: { accountId: string; sessionId: string },
  scope: SignOutScope,
): Promise<void> {
  const ended = await db
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", session.accountId)
    .where("revoked_at", "is", null)
    .$if(scope === "local", (query) => query.where("id", "=", session.sessionId))
    .$if(scope === "others", (query) => query.where("id", "!=", session.sessionId))
    .execute();
  await revokeSessions(
    db,
    ended.map((row) => row.id),
  );
}
