import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { OpenIdClient, OpenIdProvider } from "#integrations/open-id-provider.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import { ACCOUNT_COLUMNS, type AccountsContext, requireEnabled } from "../account.ts";
import { AuthError } from "../auth-error.ts";
import { voidMails } from "../mail/mail-token.ts";
import { unusableHash } from "../password.ts";
import { revokeAllSessions, revokeSessions } from "../sessions/revoke-sessions.ts";
import { openSession, type SignedIn } from "../sign-in/signed-in.ts";
import { deleteSignUp, rethrowTakenEmail } from "../sign-in/sign-up.ts";
import type { OpenIdIdentity, OpenIdRules } from "./read-identity.ts";

/** `name` is how people know the provider. */
export type OpenIdSettings = OpenIdClient & { name: string; rules: OpenIdRules };

export type OpenIdSignIn = Pick<OpenIdSettings, "name" | "rules"> & { provider: OpenIdProvider };

/** Two sign-ins of a new person must create only one account. */
const NEW_IDENTITY_LOCK = 6_210_002;

type OpenIdSignInRequest = {
  identity: OpenIdIdentity;
  providerName: string;
  /** Of the browser's previous session. */
  replacedTokenHash: string | null;
  /** The client's IP address. */
  address: string;
  userAgent: string | null;
};

/**
 * Opens a session for a person whom the provider identified, and ends the account's previous one in this browser. The
 * first sign-in creates the account, or takes over the one with the same verified address. Throws AuthError
 * "user_banned", or "email_exists" if the address belongs to an account that it may not take over.
 */
export function signInWithOpenId(context: AccountsContext, request: OpenIdSignInRequest): Promise<SignedIn> {
  const { identity, providerName, userAgent } = request;
  const opened = context.db.transaction().execute(async (trx) => {
    const accountId = (await findAccount(trx, identity)) ?? (await addIdentity(trx, identity, providerName));
    const opening = { accountId, method: "oauth", userAgent, provedAt: identity.provedAt } as const;
    await endReplaced(trx, accountId, request.replacedTokenHash);
    const signedIn = await openSession(trx, context.refreshTokens, opening);
    await writeAudit(trx, signedIn.account, { action: "account.sign-in", subjects: [providerName] });
    return signedIn;
  });
  return opened.catch(async (error: unknown) => {
    if (error instanceof AuthError) await noteRejected(context, identity.email, request.address);
    return rethrowTakenEmail(error);
  });
}

/** A browser that signs in again to prove who is there must not leave a session behind. */
async function endReplaced(trx: Kysely<Tables>, accountId: string, tokenHash: string | null): Promise<void> {
  if (tokenHash === null) return;
  const replaced = await trx
    .selectFrom("refresh_tokens")
    .innerJoin("sessions", "sessions.id", "session_id")
    .select("sessions.id")
    .where("token_hash", "=", tokenHash)
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (replaced) await revokeSessions(trx, [replaced.id]);
}

async function noteRejected(context: AccountsContext, email: string, address: string): Promise<void> {
  const known = await context.db.selectFrom("accounts").select("id").where("email", "=", email).executeTakeFirst();
  const account = { id: known?.id ?? null, email };
  await context.noteFailedProof(context, { action: "account.sign-in-failed", account, address });
}

/** Locks the account, which may be disabled meanwhile. */
async function findAccount(trx: Kysely<Tables>, { issuer, subject }: OpenIdIdentity): Promise<string | null> {
  const account = await trx
    .selectFrom("account_identities")
    .innerJoin("accounts", "accounts.id", "account_id")
    .select(["accounts.id", "accounts.disabled_at"])
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .forUpdate("accounts")
    .executeTakeFirst();
  if (!account) return null;
  requireEnabled(account);
  return account.id;
}

async function addIdentity(trx: Kysely<Tables>, identity: OpenIdIdentity, providerName: string): Promise<string> {
  await sql`select pg_advisory_xact_lock(${NEW_IDENTITY_LOCK})`.execute(trx);
  const addedMeanwhile = await findAccount(trx, identity);
  if (addedMeanwhile !== null) return addedMeanwhile;
  const { issuer, subject, email } = identity;
  // A pending sign-up does not reserve the address.
  await deleteSignUp(trx, email);
  const accountId = (await takeOver(trx, identity, providerName)) ?? (await createWithoutPassword(trx, email));
  await trx.insertInto("account_identities").values({ issuer, subject, account_id: accountId }).execute();
  return accountId;
}

/**
 * Returns null if no account has the address. Everything that could sign in before is void: whoever opened the account
 * need not own the address, and the provider now decides who may sign in. The second step stays.
 */
async function takeOver(trx: Kysely<Tables>, identity: OpenIdIdentity, providerName: string): Promise<string | null> {
  const { email, issuer } = identity;
  const known = await trx
    .selectFrom("accounts")
    .select(["id", "email", "disabled_at"])
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirst();
  if (!known) return null;
  requireEnabled(known);
  const other = await trx
    .selectFrom("account_identities")
    .select("subject")
    .where("account_id", "=", known.id)
    .where("issuer", "=", issuer)
    .executeTakeFirst();
  if (other || !identity.isEmailVerified) {
    const sentence = `Another account uses ${email}. Ask your administrator for help.`;
    throw new AuthError("email_exists", sentence);
  }
  await trx
    .updateTable("accounts")
    .set({ password_hash: await unusableHash(), updated_at: sql<string>`now()` })
    .where("id", "=", known.id)
    .execute();
  await voidMails(trx, known.id);
  await revokeAllSessions(trx, known.id);
  await writeAudit(trx, known, { action: "account.link", subjects: [providerName] });
  return known.id;
}

async function createWithoutPassword(trx: Kysely<Tables>, email: string): Promise<string> {
  const account = await trx
    .insertInto("accounts")
    .values({ email, password_hash: await unusableHash() })
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirstOrThrow();
  await writeAudit(trx, account, { action: "account.sign-up" });
  return account.id;
}
