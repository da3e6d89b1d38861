import { type Kysely, sql, type Transaction } from "kysely";
import type { TokenScope } from "#contract/api-tokens.ts";
import type { Tables } from "#database/tables.ts";
import { nameOfSubject } from "./list-audit-entries.ts";

/** `subjects` are ids or names, never values of settings. */
type Act = { action: string; subjects?: readonly string[] };

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

export type Actor = {
  id: string | null;
  email: string;
  /** The API token's permissions; absent without a token. */
  scopes?: readonly TokenScope[];
};

/** No account has the addresses of these three actors. */
export const TERMINAL: Actor = { id: null, email: "terminal" };

export const GUEST: Actor = { id: null, email: "guest" };

export const CLIPMILL: Actor = { id: null, email: "clipmill" };

export type ActorContext = { actor: Actor };

export type Changing = ActorContext & { trx: Transaction<Tables> };
