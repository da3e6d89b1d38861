import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables, UserMetadata } from "#database/tables.ts";
import type { Mailer } from "#integrations/mail.ts";
import type { Context } from "../context.ts";
import { AuthError } from "./auth-error.ts";
import type { CodeHasher } from "./mail/mail-token.ts";
import type { RefreshTokens } from "./sessions/refresh-token.ts";
import type { RecordFailedProof, RunInBackground } from "./sign-in/record-failed-proof.ts";
import type { Throttles } from "./sign-in/throttle.ts";

export type Account = {
  id: string;
  email: string;
  email_confirmed_at: string | null;
  new_email: string | null;
  user_metadata: UserMetadata;
  last_sign_in_at: string | null;
  updated_at: string;
  created_at: string;
};

/** Excludes the password hash. */
export const ACCOUNT_COLUMNS = [
  "accounts.id",
  "accounts.email",
  "accounts.email_confirmed_at",
  "accounts.new_email",
  "accounts.user_metadata",
  "accounts.last_sign_in_at",
  "accounts.updated_at",
  "accounts.created_at",
] as const;

const MAX_EMAIL_LENGTH = 254;

/** Hosts need no dot, for localhost. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_LENGTH)
  // PostgreSQL cannot store NUL; addresses contain no other control characters either.
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u)
  .refine((email) => email.isWellFormed());

/** Also returns disabled accounts. Throws Kysely's NoResultError. */
export function readAccount({ db }: Pick<Context, "db">, accountId: string): Promise<Account> {
  return db.selectFrom("accounts").select(ACCOUNT_COLUMNS).where("id", "=", accountId).executeTakeFirstOrThrow();
}

/** Locks the account's row. Throws ClipmillError "not_found". */
export async function lockAccount(
  trx: Kysely<Tables>,
  email: string,
): Promise<{ id: string; email: string; disabled_at: string | null }> {
  const account = await trx
    .selectFrom("accounts")
    .select(["id", "email", "disabled_at"])
    .where("email", "=", email.trim().toLowerCase())
    .forUpdate()
    .executeTakeFirst();
  if (!account) throw new ClipmillError("not_found", `There is no account for ${email}.`);
  return account;
}

export function requireEnabled(account: { disabled_at: string | null }): void {
  if (account.disabled_at) {
    throw new AuthError("user_banned", "This account has been disabled. Contact your administrator.");
  }
}

/** True for an account whose owner signs in at an OpenID provider, and not with a password or an emailed link. */
export function hasIdentity() {
  return sql<boolean>`exists (select from account_identities where account_identities.account_id = accounts.id)`;
}

/** Throws AuthError "email_provider_disabled". */
export function requirePasswords({ hasPasswords }: Pick<AccountsContext, "hasPasswords">): void {
  if (hasPasswords) return;
  const sentence = "Signing in with a password is turned off. Use the button of your identity provider.";
  throw new AuthError("email_provider_disabled", sentence);
}

export type AccountsContext = Pick<Context, "db" | "secrets"> & {
  refreshTokens: RefreshTokens;
  hashCode: CodeHasher;
  throttles: Throttles;
  noteFailedProof: RecordFailedProof;
  /** Null without a mail server: emails are logged as not sent. */
  mailer: Mailer | null;
  /** Base of links in emails; set if there is a mail server. */
  publicUrl: string | null;
  allowSignup: boolean;
  /** False if people sign in only at the OpenID provider. */
  hasPasswords: boolean;
  runInBackground: RunInBackground;
  log: Logger;
};
