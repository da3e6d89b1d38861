import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

/** The payload is the id of a session or API token. */
export const REVOKED_CHANNEL = "clipmill_revoked_sessions";

/** Ends sessions permanently and notifies all servers. */
export async function revokeSessions(db: Kysely<Tables>, sessionIds: string[]): Promise<void> {
  if (sessionIds.length === 0) return;
  await db
    .updateTable("sessions")
    .set({ revoked_at: sql<string>`now()` })
    .where("id", "in", sessionIds)
    .execute();
  await endLiveChannels(db, sessionIds);
}

/** Ends the live channels of these sessions or API tokens on all servers. */
export async function endLiveChannels(db: Kysely<Tables>, ids: string[]): Promise<void> {
  for (const id of ids) await sql`select pg_notify(${REVOKED_CHANNEL}, ${id})`.execute(db);
}

export async function revokeAllSessions(db: Kysely<Tables>, accountId: string): Promise<void> {
  const sessions = await db
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .execute();
  await revokeSessions(
    db,
    sessions.map((session) => session.id),
  );
}
