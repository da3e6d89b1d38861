import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";

/** Locks and returns the account with this address. Throws ClipmillError "not_found". */
export async function lockAccount(trx: Kysely<Tables>, email: string): Promise<{ id: string; email: string }> {
  const account = await trx
    .selectFrom("accounts")
    .select(["id", "email"])
    .where("email", "=", email.trim().toLowerCase())
    .forUpdate()
    .executeTakeFirst();
  if (!account) throw new ClipmillError("not_found", `There is no account for ${email}.`);
  return account;
}
