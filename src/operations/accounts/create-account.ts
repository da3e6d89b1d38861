import { sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Changing, ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { type Account, ACCOUNT_COLUMNS, emailSchema } from "./account.ts";
import { hashNewPassword } from "./password.ts";

/**
 * Creates an account or replaces a pending sign-up. Throws ClipmillError "invalid" (address) or "conflict", AuthError
 * for the password.
 */
export function createAccount(
  { db, actor }: Pick<Context, "db"> & ActorContext,
  credentials: { email: string; password: string },
): Promise<Account> {
  return db.transaction().execute((trx) => addAccount({ trx, actor }, credentials));
}

/** Like createAccount, in the caller's transaction. */
export async function addAccount(
  { trx, actor }: Changing,
  credentials: { email: string; password: string },
): Promise<Account> {
  const email = emailSchema.safeParse(credentials.email);
  if (!email.success) throw new ClipmillError("invalid", "Enter a valid email address.");
  const passwordHash = await hashNewPassword(credentials.password);
  const account = await trx
    .insertInto("accounts")
    .values({ email: email.data, password_hash: passwordHash })
    .onConflict((row) =>
      row
        .column("email")
        .doUpdateSet({ password_hash: passwordHash, email_confirmed_at: sql<string>`now()` })
        .where("accounts.email_confirmed_at", "is", null)
        .where("accounts.disabled_at", "is", null),
    )
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirst();
  if (!account) throw new ClipmillError("conflict", `${email.data} already has an account.`);
  await writeAudit(trx, actor, { action: "account.add", subjects: [account.email] });
  return account;
}
