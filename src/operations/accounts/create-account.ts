import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../context.ts";
import { type Account, ACCOUNT_COLUMNS, emailSchema } from "./account.ts";
import { hashPassword, PASSWORD_LIMITS } from "./password.ts";

/**
 * Makes an account. Throws ClipmillError "invalid" for an address or password that will not do, and "conflict" when
 * the address has an account already.
 */
export async function createAccount(
  context: Pick<Context, "db">,
  credentials: { email: string; password: string },
): Promise<Account> {
  const email = emailSchema.safeParse(credentials.email);
  if (!email.success) throw new ClipmillError("invalid", "Please enter a valid email address.");
  const { length } = credentials.password;
  if (length < PASSWORD_LIMITS.shortest) throw new ClipmillError("invalid", "A password needs at least 8 characters.");
  if (length > PASSWORD_LIMITS.longest) throw new ClipmillError("invalid", "A password has at most 256 characters.");
  const account = await context.db
    .insertInto("accounts")
    .values({ email: email.data, password_hash: await hashPassword(credentials.password) })
    .onConflict((row) => row.column("email").doNothing())
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirst();
  if (!account) throw new ClipmillError("conflict", `${email.data} has an account already.`);
  return account;
}
