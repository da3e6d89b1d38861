import { sql } from "kysely";
import { TERMINAL } from "../audit/actor.ts";
import type { Context } from "../context.ts";
import { addAccount } from "./create-account.ts";
import { generatePassword } from "./password.ts";

const FIRST_EMAIL = "operator@clipmill.local";
/** Two servers starting together must create only one account. */
const FIRST_ACCOUNT_LOCK = 6_210_001;

/** `generatedPassword` is printed once; null for a given password. */
export type FirstAccount = { email: string; generatedPassword: string | null };

/** Returns null if an account exists. Throws like createAccount. */
export function ensureFirstAccount(
  context: Pick<Context, "db">,
  given: { email?: string | undefined; password?: string | undefined },
): Promise<FirstAccount | null> {
  return context.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`.execute(trx);
    const existing = await trx.selectFrom("accounts").select("id").limit(1).executeTakeFirst();
    if (existing) return null;
    const generatedPassword = given.password ? null : generatePassword();
    const password = given.password || generatedPassword!;
    const account = await addAccount({ trx, actor: TERMINAL }, { email: given.email || FIRST_EMAIL, password });
    return { email: account.email, generatedPassword };
  });
}
