import type { Context } from "../context.ts";
import { type Account, ACCOUNT_COLUMNS } from "./account.ts";

/** Returns an account without its password, disabled or not. Throws Kysely's NoResultError if it does not exist. */
export function readAccount({ db }: Pick<Context, "db">, accountId: string): Promise<Account> {
  return db.selectFrom("accounts").select(ACCOUNT_COLUMNS).where("id", "=", accountId).executeTakeFirstOrThrow();
}
