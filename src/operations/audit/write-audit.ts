import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Actor } from "./actor.ts";
import { nameOfSubject } from "./subject-names.ts";

/** `subjects` are ids or names, never values of settings. */
export type Act = { action: string; subjects?: readonly string[] };

const MAX_SUBJECT_CHARACTERS = 200;

/**
 * Writes an entry per subject, or one without. Call it in the verb's transaction: after an addition or change, before a
 * deletion.
 */
export async function writeAudit(db: Kysely<Tables>, actor: Actor, { action, subjects = [] }: Act): Promise<void> {
  const written = subjects.length > 0 ? subjects.map((subject) => subject.slice(0, MAX_SUBJECT_CHARACTERS)) : [null];
  const name = nameOfSubject(sql`${action}::text`, sql.ref("given.subject"));
  await sql`insert into audit_entries (account_id, email, action, subject, subject_name)
    select ${actor.id}::uuid, ${actor.email}, ${action}, given.subject, left(${name}, ${MAX_SUBJECT_CHARACTERS}::int)
    from unnest(${written}::text[]) as given (subject)`.execute(db);
}
