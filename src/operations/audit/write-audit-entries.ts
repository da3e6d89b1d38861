import { sql } from "kysely";
import type { Context } from "../context.ts";
import { nameOfSubject } from "./subject-names.ts";

/** Something that somebody did. `subjects` are the ids or names of what it was done to, never values of settings. */
export type Act = { action: string; subjects?: string[] };

const MOST_SUBJECT_CHARACTERS = 200;

/**
 * Writes down who did what: an entry for each subject, or one when there is none, with what the thing is called now. `goneNames`
 * are the names of those that are gone by now.
 */
export async function writeAuditEntries(
  context: Pick<Context, "db">,
  account: { id: string | null; email: string },
  { action, subjects = [] }: Act,
  goneNames: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const written = subjects.length > 0 ? subjects.map((subject) => subject.slice(0, MOST_SUBJECT_CHARACTERS)) : [null];
  const names = written.map((subject) => (subject === null ? null : (goneNames.get(subject) ?? null)));
  const name = sql`coalesce(given.name, ${nameOfSubject(sql`${action}::text`, sql.ref("given.subject"))})`;
  await sql`insert into audit_entries (account_id, email, action, subject, subject_name)
    select ${account.id}::uuid, ${account.email}, ${action}, given.subject, left(${name}, ${MOST_SUBJECT_CHARACTERS}::int)
    from unnest(${written}::text[], ${names}::text[]) as given (subject, name)`.execute(context.db);
}
