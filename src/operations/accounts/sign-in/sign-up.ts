import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import { hasCode } from "#ground/error-code.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { type Account, ACCOUNT_COLUMNS, type AccountsContext, emailSchema, requirePasswords } from "../account.ts";
import { AuthError } from "../auth-error.ts";
import { sendLinkUnthrottled } from "../mail/send-link.ts";
import { hashNewPassword, isPassword, unusableHash } from "../password.ts";
import { openSession, type SignedIn } from "./signed-in.ts";

/**
 * Pending confirmation with a mail server, signed in without one. Throws AuthError "signup_disabled",
 * "email_provider_disabled",
 * "validation_failed", "weak_password", "over_email_send_rate_limit", and without a mail server "user_already_exists".
 */
export async function signUp(
  context: AccountsContext,
  request: {
    email: string;
    password: string;
    address: string;
    userAgent: string | null;
    redirectTo: string | null;
  },
): Promise<{ signedIn: SignedIn } | { waiting: Account }> {
  requirePasswords(context);
  if (!context.allowSignup) throw new AuthError("signup_disabled", "Signups not allowed for this instance");
  const parsed = emailSchema.safeParse(request.email);
  if (!parsed.success) throw new AuthError("validation_failed", "Enter a valid email address.");
  const email = parsed.data;
  await context.throttles.mail.count({ account: email, address: request.address });
  const passwordHash = await hashNewPassword(request.password);
  if (context.mailer) {
    await addPendingAccount(context, { email, password: request.password, passwordHash });
    sendLinkUnthrottled(context, { purpose: "signup", email, redirectTo: request.redirectTo, passwordHash });
    return { waiting: placeholderAccount(email) };
  }
  const signedIn = await context.db.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto("accounts")
      .values({ email, password_hash: passwordHash })
      .onConflict((row) => row.column("email").doNothing())
      .returning(ACCOUNT_COLUMNS)
      .executeTakeFirst();
    if (!made) throw new AuthError("user_already_exists", "User already registered");
    const opening = { accountId: made.id, method: "password", userAgent: request.userAgent } as const;
    await writeAudit(trx, made, { action: "account.sign-up" });
    return openSession(trx, context.refreshTokens, opening);
  });
  return { signedIn };
}

/**
 * Anyone can sign up with any address: each email's link confirms its own password, and the account has one only while
 * all sign-ups share it.
 */
async function addPendingAccount(
  { db }: AccountsContext,
  signUp: { email: string; password: string; passwordHash: string },
): Promise<void> {
  const { email, passwordHash } = signUp;
  const waiting = await db
    .selectFrom("accounts")
    .select("password_hash")
    .where("email", "=", email)
    .where("email_confirmed_at", "is", null)
    .executeTakeFirst();
  // Takes equally long without an account.
  const isSame = await isPassword(signUp.password, waiting?.password_hash ?? null);
  if (isSame) return;
  const unshared = await unusableHash();
  await db
    .insertInto("accounts")
    .values({ email, password_hash: passwordHash, email_confirmed_at: null })
    .onConflict((row) =>
      row
        .column("email")
        .doUpdateSet({ password_hash: unshared })
        .where("accounts.email_confirmed_at", "is", null)
        .where("accounts.disabled_at", "is", null),
    )
    .execute();
}

/** The same for every address, so that responses do not reveal which accounts exist. */
function placeholderAccount(email: string): Account {
  const now = new Date().toISOString();
  return {
    id: randomUUID(),
    email,
    email_confirmed_at: null,
    new_email: null,
    user_metadata: {},
    last_sign_in_at: null,
    updated_at: now,
    created_at: now,
  };
}

const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;

export async function deleteOldSignUps({ db }: Pick<Context, "db">, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  await deletePending(db).where("created_at", "<", oldest).execute();
}

/** Frees the address for its owner. */
export async function deleteSignUp(trx: Kysely<Tables>, email: string): Promise<void> {
  await deletePending(trx).where("email", "=", email).execute();
}

/** Keeps disabled accounts, so that their addresses stay blocked. */
function deletePending(db: Kysely<Tables>) {
  return db.deleteFrom("accounts").where("email_confirmed_at", "is", null).where("disabled_at", "is", null);
}

const UNIQUE_VIOLATION = "23505";

/** Throws AuthError "email_exists". A pending sign-up does not reserve the address. */
export async function requireFreeEmail(db: Kysely<Tables>, email: string): Promise<void> {
  const taken = await db
    .selectFrom("accounts")
    .select("id")
    .where("email", "=", email)
    .where((eb) => eb.or([eb("email_confirmed_at", "is not", null), eb("disabled_at", "is not", null)]))
    .executeTakeFirst();
  if (taken) throw takenEmail();
}

export function rethrowTakenEmail(error: unknown): never {
  throw hasCode(error, UNIQUE_VIOLATION) ? takenEmail(error) : error;
}

function takenEmail(cause?: Error): AuthError {
  return new AuthError("email_exists", "Another account uses this email address.", { cause });
}
