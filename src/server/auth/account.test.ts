import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAccount } from "#operations/accounts/create-account.ts";
import { disableAccount, enableAccount, resetPassword } from "#operations/accounts/disable-account.ts";
import { listAccounts } from "#operations/accounts/list-accounts.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const PASSWORD = "correct horse battery";

let server: TestServer;
let accounts = 0;
let email: string;

async function signIn(password = PASSWORD) {
  const client = server.newClient();
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
  return client;
}

describe("accounts", () => {
  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    accounts += 1;
    email = `keeper${accounts}@clipmill.local`;
    await createAccount(server.context, { email, password: PASSWORD });
  });

  describe("changing the account", () => {
    it("requires the current password in an old session, and ends the other sessions", async () => {
      const [client, other] = [await signIn(), await signIn()];
      await sql`update sessions set created_at = now() - interval '1 day'`.execute(server.context.db);
      const change = { password: "a new password" };
      expect((await client.auth.updateUser(change)).error?.code).toBe("reauthentication_needed");
      const wrong = await client.auth.updateUser({ ...change, current_password: "wrong" });
      expect(wrong.error).toMatchObject({ status: 400, code: "invalid_credentials" });
      const { data, error } = await client.auth.updateUser({ ...change, current_password: PASSWORD });
      expect(error).toBeNull();
      expect(data.user?.email).toBe(email);
      expect((await client.from("jobs").select("id")).error).toBeNull();
      expect((await other.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
      await signIn("a new password");
    });

    it("explains why a password is rejected, in the client's error class", async () => {
      const client = await signIn();
      const { error } = await client.auth.updateUser({ password: "short" });
      expect(error).toMatchObject({ name: "AuthWeakPasswordError", status: 422, reasons: ["length"] });
      expect((await client.auth.updateUser({ password: PASSWORD })).error).toMatchObject({
        status: 422,
        code: "same_password",
      });
      expect((await client.auth.updateUser({ password: "x".repeat(257) })).error?.code).toBe("validation_failed");
    });

    it("stores flat metadata with the account and in its tokens", async () => {
      const client = await signIn();
      await client.auth.updateUser({ data: { name: "Ada", theme: "dark" } });
      const { data } = await client.auth.updateUser({ data: { theme: null, pages: 3 } });
      expect(data.user?.user_metadata).toEqual({ name: "Ada", pages: 3 });
      await client.auth.refreshSession();
      expect((await client.auth.getClaims()).data?.claims.user_metadata).toEqual({ name: "Ada", pages: 3 });
      const nested = await client.auth.updateUser({ data: { deep: { deeper: 1 } } });
      expect(nested.error?.code).toBe("validation_failed");
    });
  });

  describe("an account managed from the terminal", () => {
    it("is rejected from the next request once disabled, and works again once enabled", async () => {
      const client = await signIn();
      const states: string[] = [];
      client
        .channel("changes")
        .on("postgres_changes", { event: "*", schema: "public", table: "jobs" }, () => {})
        .subscribe((state) => states.push(state));
      await expect.poll(() => states).toContain("SUBSCRIBED");
      await disableAccount(server.context, ` ${email.toUpperCase()}`);
      expect((await client.from("jobs").select("id")).status).toBe(401);
      expect((await client.functions.invoke("jobs", { body: {} })).response?.status).toBe(401);
      expect((await client.auth.getUser()).error).toMatchObject({ status: 403, code: "user_banned" });
      await expect.poll(() => states).toContain("CLOSED");
      const { data } = await client.auth.getSession();
      const { error } = await server.newClient().auth.refreshSession(data.session!);
      expect(error).toMatchObject({ status: 400, code: "user_banned" });
      const fresh = server.newClient();
      expect((await fresh.auth.signInWithPassword({ email, password: PASSWORD })).error).toMatchObject({
        status: 400,
        code: "user_banned",
      });
      // A wrong password does not reveal that the account is disabled.
      expect((await fresh.auth.signInWithPassword({ email, password: "wrong" })).error?.code).toBe(
        "invalid_credentials",
      );
      await enableAccount(server.context, email);
      await signIn();
    });

    it("has a new password and no sessions after a reset, and on request no second step", async () => {
      const client = await signIn();
      const { id } = (await client.auth.getUser()).data.user!;
      await server.context.db
        .insertInto("factors")
        .values({ account_id: id, friendly_name: "", sealed_secret: "", verified_at: new Date().toISOString() })
        .execute();
      await resetPassword(server.context, { email, password: "a new password", removesSecondStep: false });
      expect((await client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
      expect((await (await signIn("a new password")).from("jobs").select("id")).status).toBe(401);
      await resetPassword(server.context, { email, password: "another password", removesSecondStep: true });
      expect((await (await signIn("another password")).from("jobs").select("id")).status).toBe(200);
    });

    it("is listed with its state", async () => {
      await disableAccount(server.context, email);
      const line = (await listAccounts(server.context)).find((account) => account.email === email);
      expect(line).toEqual({ email, isDisabled: true, hasSecondStep: false, hasIdentity: false, lastSignInAt: null });
    });

    it("must exist", async () => {
      await expect(disableAccount(server.context, "nobody@clipmill.local")).rejects.toThrow(
        "There is no account for nobody@clipmill.local.",
      );
    });
  });
});
