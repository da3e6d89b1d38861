import type { Context } from "../context.ts";

/** Something that somebody did. `subjects` are the ids or names of what it was done to, never values of settings. */
export type Act = { action: string; subjects?: string[] };

const MOST_SUBJECT_CHARACTERS = 200;

/** Writes down who did what: an entry for each subject, or one when there is none. */
export async function writeAuditEntries(
  context: Pick<Context, "db">,
  account: { id: string | null; email: string },
  { action, subjects = [] }: Act,
): Promise<void> {
  const written = subjects.length > 0 ? subjects.map((subject) => subject.slice(0, MOST_SUBJECT_CHARACTERS)) : [null];
  const { id: account_id, email } = account;
  await context.db
    .insertInto("audit_entries")
    .values(written.map((subject) => ({ account_id, email, action, subject })))
    .execute();
}
