import { sql } from "kysely";
import type { Context } from "../context.ts";
import { lockAccount } from "./lock-account.ts";
import { revokeAllSessions } from "./revoke-sessions.ts";

/** Shuts an account out from its next request on; what it made stays. Throws ClipmillError "not_found". */
export function disableAccount({ db }: Pick<Context, "db">, email: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { id } = await lockAccount(trx, email);
    await trx
      .updateTable("accounts")
      .set({ disabled_at: sql<string>`now()` })
      .where("id", "=", id)
      .execute();
    await trx.deleteFrom("mail_tokens").where("account_id", "=", id).execute();
    await revokeAllSessions(trx, id);
  });
}

/** Lets a disabled account sign in again. Throws ClipmillError "not_found". */
export function enableAccount({ db }: Pick<Context, "db">, email: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { id } = await lockAccount(trx, email);
    await trx.updateTable("accounts").set({ disabled_at: null }).where("id", "=", id).execute();
  });
}
