import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { AccountsContext } from "./accounts-context.ts";
import { findFactor } from "./factor.ts";

/** Removes a factor. Without the last one the account signs in by its password alone. Throws AuthError "mfa_factor_not_found". */
export function removeFactor({ db }: Pick<AccountsContext, "db">, accountId: string, factorId: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const factor = await findFactor(trx, accountId, factorId);
    await trx.deleteFrom("factors").where("id", "=", factor.id).execute();
    await forgetPassedSteps(trx, accountId);
  });
}

/** A step passed with factors that are gone does not count for one set up later. */
async function forgetPassedSteps(trx: Kysely<Tables>, accountId: string): Promise<void> {
  const verified = trx
    .selectFrom("factors")
    .select("id")
    .where("account_id", "=", accountId)
    .where("verified_at", "is not", null);
  if (await verified.executeTakeFirst()) return;
  await trx.updateTable("sessions").set({ second_step_at: null }).where("account_id", "=", accountId).execute();
}
