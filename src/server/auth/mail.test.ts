import { Writable } from "node:stream";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAccount } from "#operations/accounts/create-account.ts";
import { disableAccount, enableAccount, resetPassword } from "#operations/accounts/disable-account.ts";
import { type MailServer, type ReceivedMail, startMailServer } from "#tests/support/twins/mail-server.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

const PUBLIC_URL = "https://clips.test";
const PASSWORD = "correct horse battery";

let inbox: MailServer;
let server: TestServer;
let accounts = 0;
/** A new account for each test: mails are limited per account. */
let email: string;

/** A new address for each test: mails are limited per address too. */
function newClient(): SupabaseClient {
  return createClient(server.url, "any key", {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: { "x-forwarded-for": `192.0.2.${accounts}` } },
  });
}

/** Takes the first mail to the address; mails of other tests may still arrive. */
async function nextMail(to = email): Promise<ReceivedMail> {
  await expect.poll(() => inbox.mails.some((mail) => mail.to === to)).toBe(true);
  const index = inbox.mails.findIndex((mail) => mail.to === to);
  return inbox.mails.splice(index, 1)[0]!;
}

function codeOf(mail: ReceivedMail): string {
  return /enter this code: (\d{8})/i.exec(mail.text)![1]!;
}

/** Replaces PUBLIC_URL with this server's address. */
function linkOf(mail: ReceivedMail): string {
  const link = /https:\/\/\S+/.exec(mail.text)![0];
  expect(link.startsWith(`${PUBLIC_URL}/auth/v1/verify?token=`)).toBe(true);
  return link.replace(PUBLIC_URL, server.url);
}

async function open(link: string, headers: Record<string, string> = {}) {
  const response = await fetch(link, { redirect: "manual", headers });
  expect(response.status).toBe(303);
  const [page, fragment] = response.headers.get("location")!.split("#");
  return {
    page,
    result: Object.fromEntries(new URLSearchParams(fragment)),
    cookie: response.headers.get("set-cookie"),
  };
}

async function recoveryLink(redirectTo?: string): Promise<string> {
  const options = redirectTo ? { redirectTo } : {};
  expect((await newClient().auth.resetPasswordForEmail(email, options)).error).toBeNull();
  return linkOf(await nextMail());
}

describe("mails", () => {
  beforeAll(async () => {
    inbox = await startMailServer();
    const { mailer } = inbox;
    server = await startTestServer(undefined, {
      openDatabase: openPostgresDatabase,
      publicUrl: PUBLIC_URL,
      mailer,
      allowSignup: true,
    });
  });
  afterAll(async () => {
    await server.close();
    await inbox.close();
  });
  beforeEach(async () => {
    accounts += 1;
    email = `reader${accounts}@clips.test`;
    await createAccount(server.context, { email, password: PASSWORD });
    inbox.mails.length = 0;
  });

  describe("recovering an account by mail", () => {
    // spec 7.23
    it("leads to the requesting page, with a session that can set a new password", async () => {
      const link = await recoveryLink(`${PUBLIC_URL}/set-password?from=mail`);
      const { page, result } = await open(link);
      expect(page).toBe(`${PUBLIC_URL}/set-password?from=mail`);
      expect(result).toMatchObject({ type: "recovery", token_type: "bearer", expires_in: "3600" });
      const client = newClient();
      const { error } = await client.auth.setSession({
        access_token: result.access_token!,
        refresh_token: result.refresh_token!,
      });
      expect(error).toBeNull();
      expect((await client.auth.updateUser({ password: "a new password" })).error).toBeNull();
      const again = newClient();
      expect((await again.auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
        "invalid_credentials",
      );
      expect((await again.auth.signInWithPassword({ email, password: "a new password" })).error).toBeNull();
    });

    it("works once, for an hour, and is not used up by HEAD requests", async () => {
      const link = await recoveryLink();
      expect((await fetch(link, { method: "HEAD", redirect: "manual" })).status).toBe(200);
      expect((await open(link)).result.access_token).toBeDefined();
      const second = await open(link);
      expect(second.page).toBe(`${PUBLIC_URL}/`);
      expect(second.result).toEqual({
        error: "access_denied",
        error_code: "otp_expired",
        error_description: "Token has expired or is invalid",
      });
      const late = await recoveryLink();
      await sql`update mail_tokens set expires_at = expires_at - interval '61 minutes'`.execute(server.context.db);
      expect((await open(late)).result.error_code).toBe("otp_expired");
    });

    it("puts the refresh token into the cookie when a browser opens the link", async () => {
      const headers = { accept: "text/html,application/xhtml+xml", "x-forwarded-proto": "https" };
      const { result, cookie } = await open(await recoveryLink(), headers);
      expect(result.refresh_token).toMatch(/^cookie\./);
      expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
    });

    it.each([
      "https://elsewhere.test/",
      "//elsewhere.test",
      String.raw`/\elsewhere.test`,
      "https://clips.test.elsewhere.test/",
      "https://clips.test@elsewhere.test/",
      "https://user@clips.test/",
      "http://clips.test/",
      "javascript:alert(1)",
      "data:text/html,x",
      "https:elsewhere.test",
    ])("does not redirect to foreign pages: %s", async (target) => {
      const link = new URL(await recoveryLink(target));
      link.searchParams.set("redirect_to", target);
      const { page } = await open(link.href);
      expect(new URL(page!).origin).toBe(PUBLIC_URL);
    });

    it("redirects to a page of the address it was opened at, keeping double slashes", async () => {
      const link = new URL(await recoveryLink());
      link.searchParams.set("redirect_to", `${server.url}//elsewhere.test`);
      expect((await open(link.href)).page).toBe(`${server.url}//elsewhere.test`);
    });

    it("responds the same for an unknown address, and sends nothing", async () => {
      const { data, error } = await newClient().auth.resetPasswordForEmail("nobody@clips.test");
      expect([data, error]).toEqual([{}, null]);
      await recoveryLink();
      expect(inbox.mails.map((mail) => mail.to)).not.toContain("nobody@clips.test");
    });

    it("accepts a typed code instead, with at most five attempts, while the link keeps working", async () => {
      const client = newClient();
      await client.auth.resetPasswordForEmail(email);
      const first = await nextMail();
      const { data } = await client.auth.verifyOtp({ email, token: codeOf(first), type: "recovery" });
      expect(data.session?.user.email).toBe(email);
      await client.auth.resetPasswordForEmail(email);
      const second = await nextMail();
      const wrong = codeOf(second) === "00000000" ? "00000001" : "00000000";
      for (let tries = 0; tries < 5; tries += 1) {
        const { error } = await client.auth.verifyOtp({ email, token: wrong, type: "recovery" });
        expect(error).toMatchObject({ status: 403, code: "otp_expired" });
      }
      const { error } = await client.auth.verifyOtp({ email, token: codeOf(second), type: "recovery" });
      expect(error?.code).toBe("otp_expired");
      expect((await open(linkOf(second))).result.access_token).toBeDefined();
    });

    it("is invalid after a password change, and accepts no code for another purpose", async () => {
      const link = await recoveryLink();
      const token = new URL(link).searchParams.get("token")!;
      const client = newClient();
      const other = await client.auth.verifyOtp({ token_hash: token, type: "email_change" });
      expect(other.error?.code).toBe("otp_expired");
      await client.auth.signInWithPassword({ email, password: PASSWORD });
      expect((await client.auth.updateUser({ password: "a new password" })).error).toBeNull();
      expect((await client.auth.verifyOtp({ token_hash: token, type: "recovery" })).error?.code).toBe("otp_expired");
    });

    it("rejects a disabled account", async () => {
      const link = await recoveryLink();
      await sql`update accounts set disabled_at = now() where email = ${email}`.execute(server.context.db);
      expect((await open(link)).result.error_code).toBe("user_banned");
    });

    it("stores neither the token nor the code in plain text", async () => {
      await newClient().auth.resetPasswordForEmail(email);
      const mail = await nextMail();
      const { rows } = await sql<{
        all: string;
      }>`select string_agg(mail_tokens::text, ' ') as all from mail_tokens`.execute(server.context.db);
      expect(rows[0]!.all).not.toContain(codeOf(mail));
      expect(rows[0]!.all).not.toContain(new URL(linkOf(mail)).searchParams.get("token"));
    });

    it("limits the number of mails", async () => {
      const client = newClient();
      for (let mails = 0; mails < 5; mails += 1) {
        expect((await client.auth.resetPasswordForEmail(email)).error).toBeNull();
      }
      expect((await client.auth.resetPasswordForEmail(email)).error).toMatchObject({
        status: 429,
        code: "over_email_send_rate_limit",
      });
    });
  });

  describe("other mails", () => {
    // spec 7.23
    it("sign in by link or code, and create no account", async () => {
      const client = newClient();
      expect((await client.auth.signInWithOtp({ email })).error).toBeNull();
      const { data } = await client.auth.verifyOtp({ email, token: codeOf(await nextMail()), type: "email" });
      expect(data.session?.user.email).toBe(email);
      expect((await client.auth.signInWithOtp({ email: "nobody@clips.test" })).error).toBeNull();
      expect((await client.auth.signInWithOtp({ phone: "+15550100" })).error?.code).toBe("phone_provider_disabled");
      const nobody = server.context.db.selectFrom("accounts").select("id").where("email", "=", "nobody@clips.test");
      expect(await nobody.executeTakeFirst()).toBeUndefined();
    });

    it("confirm a sign-up, and nothing works before that", async () => {
      const client = newClient();
      const credentials = { email: `new${accounts}@clips.test`, password: PASSWORD };
      const { data, error } = await client.auth.signUp(credentials);
      expect(error).toBeNull();
      expect(data.session).toBeNull();
      expect(data.user).toMatchObject({ email: credentials.email, email_confirmed_at: null });
      const mail = await nextMail(credentials.email);
      expect((await client.auth.signInWithPassword(credentials)).error).toMatchObject({
        status: 400,
        code: "email_not_confirmed",
      });
      expect((await client.auth.resend({ type: "signup", email: credentials.email })).error).toBeNull();
      await nextMail(credentials.email);
      expect((await open(linkOf(mail))).result.type).toBe("signup");
      expect((await client.auth.signInWithPassword(credentials)).error).toBeNull();
    });

    describe("with several sign-ups for one address", () => {
      const STRANGERS = "a stranger's password";
      let address: string;
      const signUp = async (password: string): Promise<string> => {
        expect((await newClient().auth.signUp({ email: address, password })).error).toBeNull();
        return linkOf(await nextMail(address));
      };
      const codeAtSignIn = async (password: string): Promise<string | undefined> =>
        (await newClient().auth.signInWithPassword({ email: address, password })).error?.code;

      beforeEach(() => void (address = `several${accounts}@clips.test`));

      it("a link confirms its own sign-up's password, never that of a later one", async () => {
        const link = await signUp(PASSWORD);
        const strangers = await signUp(STRANGERS);
        expect((await open(link)).result.type).toBe("signup");
        expect(await codeAtSignIn(STRANGERS)).toBe("invalid_credentials");
        expect(await codeAtSignIn(PASSWORD)).toBeUndefined();
        expect((await open(strangers)).result.error_code).toBe("otp_expired");
        expect(await codeAtSignIn(PASSWORD)).toBeUndefined();
      });

      it("a code confirms its own sign-up's password", async () => {
        await newClient().auth.signUp({ email: address, password: PASSWORD });
        const token = codeOf(await nextMail(address));
        await signUp(STRANGERS);
        const { error } = await newClient().auth.verifyOtp({ email: address, token, type: "signup" });
        expect(error).toBeNull();
        expect(await codeAtSignIn(STRANGERS)).toBe("invalid_credentials");
        expect(await codeAtSignIn(PASSWORD)).toBeUndefined();
      });

      it("none blocks an account from changing to the address", async () => {
        await signUp(STRANGERS);
        const client = newClient();
        await client.auth.signInWithPassword({ email, password: PASSWORD });
        expect((await client.auth.updateUser({ email: address })).error).toBeNull();
        expect((await open(linkOf(await nextMail(address)))).result.type).toBe("email_change");
        expect(await codeAtSignIn(PASSWORD)).toBeUndefined();
      });

      it("a resent link confirms the password if there is only one, otherwise none", async () => {
        const sendAgain = async (): Promise<string> => {
          expect((await newClient().auth.resend({ type: "signup", email: address })).error).toBeNull();
          return linkOf(await nextMail(address));
        };
        await signUp(PASSWORD);
        await signUp(PASSWORD);
        expect((await open(await sendAgain())).result.type).toBe("signup");
        expect(await codeAtSignIn(PASSWORD)).toBeUndefined();
        address = `contested${accounts}@clips.test`;
        await signUp(STRANGERS);
        await signUp(PASSWORD);
        expect((await open(await sendAgain())).result.type).toBe("signup");
        expect(await codeAtSignIn(STRANGERS)).toBe("invalid_credentials");
        expect(await codeAtSignIn(PASSWORD)).toBe("invalid_credentials");
      });

      it.each(["magiclink", "recovery"])("a %s leaves no unconfirmed password on the account", async (type) => {
        await signUp(STRANGERS);
        const { auth } = newClient();
        await (type === "recovery" ? auth.resetPasswordForEmail(address) : auth.signInWithOtp({ email: address }));
        expect((await open(linkOf(await nextMail(address)))).result.type).toBe(type);
        expect(await codeAtSignIn(STRANGERS)).toBe("invalid_credentials");
      });
    });

    it("do not reveal at sign-up that an address has an account", async () => {
      const { data, error } = await newClient().auth.signUp({ email, password: "another password" });
      expect(error).toBeNull();
      expect(data.user).toMatchObject({ email, email_confirmed_at: null });
      expect((await newClient().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
      await recoveryLink();
      expect(inbox.mails.map((mail) => mail.to)).not.toContain(email);
    });

    it("confirm a new address, and notify the old one", async () => {
      const client = newClient();
      await client.auth.signInWithPassword({ email, password: PASSWORD });
      const newEmail = `moved${accounts}@clips.test`;
      const { data } = await client.auth.updateUser({ email: newEmail });
      expect(data.user).toMatchObject({ email, new_email: newEmail });
      const mail = await nextMail(newEmail);
      expect((await nextMail()).subject).toBe("Your email address for Clipmill is about to change");
      const { data: changed } = await client.auth.verifyOtp({
        email: newEmail,
        token: codeOf(mail),
        type: "email_change",
      });
      expect(changed.user).toMatchObject({ email: newEmail });
      expect(changed.user).not.toHaveProperty("new_email");
      expect((await newClient().auth.signInWithPassword({ email: newEmail, password: PASSWORD })).error).toBeNull();
    });

    describe("a pending email change", () => {
      let newEmail: string;
      let client: SupabaseClient;
      beforeEach(async () => {
        newEmail = `pending${accounts}@clips.test`;
        client = newClient();
        await client.auth.signInWithPassword({ email, password: PASSWORD });
        await client.auth.updateUser({ email: newEmail });
        await nextMail(newEmail);
        await nextMail();
      });

      it.each<[string, () => Promise<unknown>]>([
        ["a new password", () => client.auth.updateUser({ password: "a new password" })],
        ["the current address", () => client.auth.updateUser({ email })],
        [
          "a reset",
          () => resetPassword(server.context, { email, password: "a new password", removesSecondStep: false }),
        ],
        [
          "a disabled account, even once enabled",
          async () => {
            await disableAccount(server.context, email);
            await enableAccount(server.context, email);
          },
        ],
      ])("is canceled by %s: no further link is sent", async (_change, cancel) => {
        await cancel();
        expect((await newClient().auth.resend({ type: "email_change", email })).error).toBeNull();
        await recoveryLink();
        expect(inbox.mails.map((mail) => mail.to)).not.toContain(newEmail);
        const account = server.context.db.selectFrom("accounts").select("new_email").where("email", "=", email);
        expect(await account.executeTakeFirst()).toEqual({ new_email: null });
      });

      it("is replaced by a change of password and address", async () => {
        const other = `other${accounts}@clips.test`;
        const { data } = await client.auth.updateUser({ email: other, password: "a new password" });
        expect(data.user).toMatchObject({ email, new_email: other });
        expect((await open(linkOf(await nextMail(other)))).result.type).toBe("email_change");
        const { error } = await newClient().auth.signInWithPassword({ email: other, password: "a new password" });
        expect(error).toBeNull();
      });
    });

    it("are limited before a change of the account is saved", async () => {
      const client = newClient();
      await client.auth.signInWithPassword({ email, password: PASSWORD });
      for (let mails = 0; mails < 5; mails += 1) expect((await client.auth.reauthenticate()).error).toBeNull();
      const change = { email: `late${accounts}@clips.test`, password: "a new password", data: { name: "Ada" } };
      expect((await client.auth.updateUser(change)).error).toMatchObject({
        status: 429,
        code: "over_email_send_rate_limit",
      });
      const { data } = await newClient().auth.signInWithPassword({ email, password: PASSWORD });
      expect(data.user).toMatchObject({ email, user_metadata: {} });
      expect(data.user).not.toHaveProperty("new_email");
    });

    it("reauthenticate before a password change in an old session", async () => {
      const client = newClient();
      await client.auth.signInWithPassword({ email, password: PASSWORD });
      await sql`update sessions set created_at = now() - interval '1 day'`.execute(server.context.db);
      const rejected = await client.auth.updateUser({ password: "a new password" });
      expect(rejected.error).toMatchObject({ status: 400, code: "reauthentication_needed" });
      expect((await client.auth.reauthenticate()).error).toBeNull();
      const nonce = codeOf(await nextMail());
      const wrong = await client.auth.updateUser({ password: "a new password", nonce: "none" });
      expect(wrong.error?.code).toBe("reauthentication_not_valid");
      expect((await client.auth.updateUser({ password: "a new password", nonce })).error).toBeNull();
    });
  });

  describe("without a mail server", () => {
    it("responds the same, and logs what is missing", async () => {
      const lines: string[] = [];
      const log = pino(new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }));
      const silent = await startTestServer(undefined, { log, publicUrl: PUBLIC_URL });
      const client = silent.newClient();
      expect(await client.auth.resetPasswordForEmail(TEST_ACCOUNT.email)).toEqual({ data: {}, error: null });
      await expect.poll(() => lines.join("")).toContain("SMTP_URL is not set");
      await silent.close();
    });

    it("changes addresses immediately, and completes sign-ups immediately where they are allowed", async () => {
      const open = await startTestServer(undefined, { allowSignup: true });
      const client = open.newClient();
      const { data } = await client.auth.signUp({ email: "new@clips.test", password: PASSWORD });
      expect(data.session?.user.email).toBe("new@clips.test");
      expect((await client.auth.updateUser({ email: TEST_ACCOUNT.email })).error?.code).toBe("email_exists");
      expect((await client.auth.updateUser({ email: "moved@clips.test" })).data.user?.email).toBe("moved@clips.test");
      const again = await open.newClient().auth.signUp({ email: "moved@clips.test", password: PASSWORD });
      expect(again.error).toMatchObject({ status: 422, code: "user_already_exists" });
      await open.close();
    });

    it("logs a mail that the mail server rejected, and responds as usual", async () => {
      const lines: string[] = [];
      const log = pino(new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }));
      const rejecting = await startMailServer();
      rejecting.reject();
      const { mailer } = rejecting;
      const sending = await startTestServer(undefined, { log, publicUrl: PUBLIC_URL, mailer });
      expect((await sending.newClient().auth.resetPasswordForEmail(TEST_ACCOUNT.email)).error).toBeNull();
      await expect.poll(() => lines.join("")).toContain("The mail server rejected the message.");
      await sending.close();
      await rejecting.close();
    });
  });
});
