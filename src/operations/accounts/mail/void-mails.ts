import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";

/** Also drops a pending address: anyone can request another link to it. */
export async function voidMails(trx: Kysely<Tables>, accountId: string): Promise<void> {
  await trx.deleteFrom("mail_tokens").where("account_id", "=", accountId).execute();
  await trx.updateTable("accounts").set({ new_email: null }).where("id", "=", accountId).execute();
}
