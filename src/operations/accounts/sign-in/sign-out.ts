import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { ActorContext } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { revokeSessions } from "../sessions/revoke-sessions.ts";

export const SIGN_OUT_SCOPES = ["local", "others", "global"] as const;
export type SignOutScope = (typeof SIGN_OUT_SCOPES)[number];

export function signOut(
  { db, actor }: Pick<Context, "db"> & ActorContext,
  session: { accountId: string; sessionId: string },
  scope: SignOutScope,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await endSessions(trx, session, scope);
    await writeAudit(trx, actor, { action: "account.sign-out" });
  });
}

/** Like signOut, in the caller's transaction and without an audit entry. */
export async function endSessions(
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
