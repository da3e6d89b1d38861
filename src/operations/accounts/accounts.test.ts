import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "#database/open-database.ts";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { TERMINAL } from "../audit/write-audit.ts";
import type { AccountsContext } from "./account.ts";
import { createAccount, ensureFirstAccount } from "./create-account.ts";
import { disableAccount, resetPassword } from "./disable-account.ts";
import { deleteOldSignUps } from "./sign-in/sign-up.ts";
import { listAccounts } from "./list-accounts.ts";
import { createCodeHasher, issueMailToken } from "./mail/mail-token.ts";
import { redeemMail } from "./mail/redeem-mail.ts";
import { isPassword } from "./password.ts";
import { createRefreshTokens } from "./sessions/refresh-token.ts";
import { signIn } from "./sign-in/sign-in.ts";
import { createThrottles } from "./sign-in/throttle.ts";

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it("creates the first account once, even when two servers start at the same time", async () => {
  const made = await Promise.all([ensureFirstAccount(database, {}), ensureFirstAccount(database, {})]);
  const first = made.find((account) => account !== null)!;
  expect(made).toContain(null);
  expect(first.email).toBe("operator@clipmill.local");
  expect(first.generatedPassword).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
  const { password_hash: hash } = await database.db
    .selectFrom("accounts")
    .select("password_hash")
    .executeTakeFirstOrThrow();
  expect(hash).toMatch(/^\$argon2id\$/);
  expect(await isPassword(first.generatedPassword!, hash)).toBe(true);
  expect(await ensureFirstAccount(database, { email: "late@clipmill.local", password: "long enough" })).toBeNull();
});

it("uses the given address and password, and does not show the password again", async () => {
  const fresh = await openTestDatabase();
  const account = await ensureFirstAccount(fresh, { email: " Me@Localhost ", password: "long enough" });
  expect(account).toEqual({ email: "me@localhost", generatedPassword: null });
  await fresh.close();
});

it.each([
  ["nobody", "long enough", "Enter a valid email address."],
  ["a b@c", "long enough", "Enter a valid email address."],
  ["a@b", "1234567", "Passwords need at least 8 characters."],
  ["a@b", "x".repeat(257), "Passwords can have at most 256 characters."],
  ["OPERATOR@clipmill.local", "long enough", "operator@clipmill.local already has an account."],
])("rejects %s with %s", async (email, password, sentence) => {
  await expect(createAccount({ db: database.db, actor: TERMINAL }, { email, password })).rejects.toThrow(sentence);
});

it("rejects every password for an unknown account", async () => {
  expect(await isPassword("anything", null)).toBe(false);
});

it("creates an account for an address with a pending sign-up, and drops the sign-up", async () => {
  const email = "wanted@clipmill.local";
  await signUpWith(email);
  const account = await createAccount({ db: database.db, actor: TERMINAL }, { email, password: "long enough" });
  expect(account).toMatchObject({ email, email_confirmed_at: expect.any(String) });
  await expect(createAccount({ db: database.db, actor: TERMINAL }, { email, password: "long enough" })).rejects.toThrow(
    "already has an account",
  );
});

it("deletes a sign-up that is not confirmed within a week, but never an account", async () => {
  await signUpWith("forgotten@clipmill.local");
  const emails = async () => (await listAccounts(database)).map((account) => account.email);
  const before = await emails();
  await deleteOldSignUps(database, daysLater(6.9));
  expect(await emails()).toEqual(before);
  await deleteOldSignUps(database, daysLater(7.1));
  expect(await emails()).toEqual(before.filter((email) => email !== "forgotten@clipmill.local"));
});

describe("a sign-in", () => {
  const credentials = { email: "in-flight@clipmill.local", password: "the old password" };
  const request = { address: "192.0.2.1", userAgent: null };
  const reset = () =>
    resetPassword(
      { db: database.db, actor: TERMINAL },
      { ...credentials, password: "a new password", removesSecondStep: false },
    );
  const disable = () => disableAccount({ db: database.db, actor: TERMINAL }, credentials.email);
  const hashCode = createCodeHasher("a secret");

  /** Runs `meanwhile` once the password or code was found to be right. */
  function contextWith(meanwhile: () => Promise<unknown>): AccountsContext {
    const throttles = createThrottles();
    const forgiving = { count: async () => {}, forgive: async () => void (await meanwhile()) };
    return {
      db: database.db,
      refreshTokens: createRefreshTokens("a secret"),
      hashCode,
      hasPasswords: true,
      throttles: { ...throttles, signIn: forgiving, mailCode: forgiving },
    } as Partial<AccountsContext> as AccountsContext;
  }

  async function openSessions(): Promise<number> {
    const open = await database.db
      .selectFrom("sessions")
      .innerJoin("accounts", "accounts.id", "account_id")
      .select("sessions.id")
      .where("email", "=", credentials.email)
      .where("revoked_at", "is", null)
      .execute();
    return open.length;
  }

  let accountId: string;
  beforeEach(async () => {
    await database.db.deleteFrom("accounts").where("email", "=", credentials.email).execute();
    accountId = (await createAccount({ db: database.db, actor: TERMINAL }, credentials)).id;
  });

  it.each([
    ["the password changes", reset],
    ["the account is disabled", disable],
  ])("with a password is rejected if %s meanwhile", async (_, change) => {
    const signingIn = signIn(contextWith(change), { ...credentials, ...request });
    await expect(signingIn).rejects.toMatchObject({ code: "invalid_credentials" });
    expect(await openSessions()).toBe(0);
  });

  it("with an emailed code opens no session that survives a password change meanwhile", async () => {
    const recipient = { accountId, purpose: "magiclink", email: credentials.email, passwordHash: null } as const;
    const { code } = await issueMailToken(database.db, hashCode, recipient);
    const proof = { type: "email", email: credentials.email, code, address: request.address } as const;
    await redeemMail(contextWith(reset), proof, null);
    expect(await openSessions()).toBe(0);
  });
});

function daysLater(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}

async function signUpWith(email: string): Promise<void> {
  await database.db
    .insertInto("accounts")
    .values({ email, password_hash: "a stranger's", email_confirmed_at: null })
    .execute();
}
