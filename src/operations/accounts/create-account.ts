import { sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { type ActorContext, type Changing, TERMINAL, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { type Account, ACCOUNT_COLUMNS, emailSchema } from "./account.ts";
import { generatePassword, hashNewPassword } from "./password.ts";

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
async function addAccount(
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
