import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";

const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;

export async function deleteOldSignUps({ db }: Pick<Context, "db">, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  await deletePending(db).where("created_at", "<", oldest).execute();
}

/** Frees the address for its owner. */
export async function deleteSignUp(trx: Kysely<Tables>, email: string): Promise<void> {
  await deletePending(trx).where("email", "=", email).execute();
}

/** Keeps disabled accounts, so that their addresses stay blocked. */
function deletePending(db: Kysely<Tables>) {
  return db.deleteFrom("accounts").where("email_confirmed_at", "is", null).where("disabled_at", "is", null);
}
