import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "#operations/accounts/create-account.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

let server: TestServer;

type SessionBody = { access_token: string; refresh_token: string; user: { id: string } };

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/auth/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

async function signIn(headers: Record<string, string> = {}) {
  const response = await post("token?grant_type=password", TEST_ACCOUNT, headers);
  expect(response.status).toBe(200);
  return { session: (await response.json()) as SessionBody, cookie: response.headers.get("set-cookie") };
}

function refresh(token: string, headers: Record<string, string> = {}): Promise<Response> {
  return post("token?grant_type=refresh_token", { refresh_token: token }, headers);
}

async function refreshed(token: string): Promise<SessionBody> {
  const response = await refresh(token);
  expect(response.status).toBe(200);
  return (await response.json()) as SessionBody;
}

function userStatus(accessToken: string): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return fetch(`${server.url}/auth/v1/user`, { headers }).then((response) => response.status);
}

function guess(): Promise<Response> {
  return post("token?grant_type=password", { email: "guessed@clipmill.local", password: "guess" });
}

function logout(scope: string, session: SessionBody): Promise<Response> {
  return post(`logout?scope=${scope}`, {}, { authorization: `Bearer ${session.access_token}` });
}

async function codeOf(authorization?: string): Promise<[status: number, code: string]> {
  const headers = { apikey: "any key", ...(authorization && { authorization }) };
  const response = await fetch(`${server.url}/auth/v1/user`, { headers });
  return [response.status, ((await response.json()) as { error_code: string }).error_code];
}

function cookieOf(setCookie: string | null): string {
  return setCookie!.split(";")[0]!;
}

/** Moves the use of all tokens beyond the reuse window. */
async function expireReuseWindow(): Promise<void> {
  await sql`update refresh_tokens set used_at = used_at - interval '11 seconds'`.execute(server.context.db);
}

describe("sessions", () => {
  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  });
  afterAll(() => server.close());

  describe("signing in", () => {
    // spec 3.14, 7.18
    it("returns a complete session, whatever the case of the address", async () => {
      const client = server.newClient();
      const email = ` ${TEST_ACCOUNT.email.toUpperCase()} `;
      const { data, error } = await client.auth.signInWithPassword({ ...TEST_ACCOUNT, email });
      expect(error).toBeNull();
      expect(data.session).toMatchObject({ token_type: "bearer", expires_in: 3600 });
      expect(data.user).toMatchObject({ email: TEST_ACCOUNT.email, role: "authenticated", is_anonymous: false });
      expect((await client.auth.getUser()).data.user?.id).toBe(data.user!.id);
      const { data: claims } = await client.auth.getClaims();
      expect(claims?.claims).toMatchObject({ sub: data.user!.id, aal: "aal1", aud: "authenticated" });
    });

    it("responds the same for a wrong password and an unknown address", async () => {
      for (const credentials of [
        { ...TEST_ACCOUNT, password: "wrong" },
        { email: "nobody@clipmill.local", password: TEST_ACCOUNT.password },
      ]) {
        const { data, error } = await server.newClient().auth.signInWithPassword(credentials);
        expect(data.session).toBeNull();
        expect(error).toMatchObject({ status: 400, code: "invalid_credentials", message: "Invalid login credentials" });
      }
    });

    it("returns errors in the older form to older clients", async () => {
      const response = await post("token?grant_type=password", { ...TEST_ACCOUNT, password: "wrong" });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        code: 400,
        error_code: "invalid_credentials",
        msg: "Invalid login credentials",
      });
    });

    it("throttles guesses for one account, but admits another one from the same address", async () => {
      for (let tries = 0; tries < 10; tries += 1) expect((await guess()).status).toBe(400);
      const rejected = await guess();
      expect(rejected.status).toBe(429);
      expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await rejected.json()).toMatchObject({
        error_code: "over_request_rate_limit",
        msg: "Too many sign-in attempts. Try again in 10 minutes.",
      });
      await signIn();
    });

    // spec 5.23
    it("reports missing and invalid fields", async () => {
      expect(await (await post("token?grant_type=password", { email: "a@b" })).json()).toMatchObject({
        msg: "Enter your email and your password.",
      });
      const headers = { "content-type": "application/json" };
      const url = `${server.url}/auth/v1/token?grant_type=password`;
      const garbled = await fetch(url, { method: "POST", headers, body: "{" });
      expect(garbled.status).toBe(400);
      expect(await garbled.json()).toMatchObject({ msg: "The request is not valid JSON." });
      const huge = await fetch(url, { method: "POST", headers, body: "x".repeat(1024 * 1024 + 1) });
      expect(huge.status).toBe(413);
    });

    // spec 7.23
    it("rejects sign-ups unless they are allowed", async () => {
      const { error } = await server.newClient().auth.signUp({ email: "new@clipmill.local", password: "long enough" });
      expect(error).toMatchObject({ status: 422, code: "signup_disabled" });
    });
  });

  describe("refreshing", () => {
    // spec 3.14, 4.10.1, 7.18
    it("returns a new token each time, also with the real client", async () => {
      const client = server.newClient();
      const { data: first } = await client.auth.signInWithPassword(TEST_ACCOUNT);
      const { data: second, error } = await client.auth.refreshSession();
      expect(error).toBeNull();
      expect(second.session!.refresh_token).not.toBe(first.session!.refresh_token);
      expect((await client.auth.getUser()).error).toBeNull();
    });

    it("returns the same next token to two tabs refreshing at the same time", async () => {
      const { session } = await signIn();
      const [one, two] = await Promise.all([refreshed(session.refresh_token), refreshed(session.refresh_token)]);
      expect(one.refresh_token).toBe(two.refresh_token);
      await expireReuseWindow();
      expect((await refreshed(session.refresh_token)).refresh_token).toBe(one.refresh_token);
      expect(await userStatus((await refreshed(one.refresh_token)).access_token)).toBe(200);
    });

    it("returns the active token for one used a moment ago", async () => {
      const { session } = await signIn();
      const second = await refreshed(session.refresh_token);
      const third = await refreshed(second.refresh_token);
      expect((await refreshed(session.refresh_token)).refresh_token).toBe(third.refresh_token);
    });

    it("ends the session when an old token is reused later", async () => {
      const { session } = await signIn();
      const second = await refreshed(session.refresh_token);
      const third = await refreshed(second.refresh_token);
      await expireReuseWindow();
      const reused = await refresh(session.refresh_token);
      expect(reused.status).toBe(400);
      expect(await reused.json()).toMatchObject({ error_code: "refresh_token_already_used" });
      expect(await userStatus(third.access_token)).toBe(403);
      expect(await (await refresh(third.refresh_token)).json()).toMatchObject({ error_code: "session_not_found" });
    });

    it("rejects unknown tokens, and those of sessions unused for a month", async () => {
      expect(await (await refresh("made up")).json()).toMatchObject({ error_code: "refresh_token_not_found" });
      const { session } = await signIn();
      await sql`update sessions set refreshed_at = now() - interval '31 days'`.execute(server.context.db);
      expect(await (await refresh(session.refresh_token)).json()).toMatchObject({ error_code: "session_expired" });
    });

    it("stores no token in plain text", async () => {
      const { session } = await signIn();
      const { rows } = await sql<{
        all: string;
      }>`select string_agg(refresh_tokens::text, ' ') as all from refresh_tokens`.execute(server.context.db);
      expect(rows[0]!.all).not.toContain(session.refresh_token);
    });
  });

  describe("signing out", () => {
    // spec 2.2.8, 6.2
    it("ends this session immediately and keeps the others", async () => {
      const [here, there] = [server.newClient(), server.newClient()];
      const { data } = await here.auth.signInWithPassword(TEST_ACCOUNT);
      await there.auth.signInWithPassword(TEST_ACCOUNT);
      expect((await here.auth.signOut({ scope: "local" })).error).toBeNull();
      const headers = { authorization: `Bearer ${data.session!.access_token}` };
      expect((await fetch(`${server.url}/rest/v1/jobs`, { headers })).status).toBe(401);
      expect((await there.from("jobs").select("id")).error).toBeNull();
    });

    it("ends the other sessions, or all of them", async () => {
      const here = await signIn();
      const there = await signIn();
      expect((await logout("others", here.session)).status).toBe(204);
      expect(await userStatus(there.session.access_token)).toBe(403);
      expect(await userStatus(here.session.access_token)).toBe(200);
      expect((await logout("global", here.session)).status).toBe(204);
      expect(await userStatus(here.session.access_token)).toBe(403);
    });
  });

  describe("access", () => {
    it("rejects a missing token, a key, a foreign signature and a removed account, each with its own code", async () => {
      expect(await codeOf()).toEqual([401, "no_authorization"]);
      expect(await codeOf("Bearer any key")).toEqual([401, "no_authorization"]);
      const { session } = await signIn();
      const [head, claims] = session.access_token.split(".");
      expect(await codeOf(`Bearer ${head}.${claims}.AAAA`)).toEqual([403, "bad_jwt"]);
      const unsigned = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
      expect(await codeOf(`Bearer ${unsigned}.${claims}.`)).toEqual([403, "bad_jwt"]);
      const passing = await createAccount(server.context, { email: "passing@clipmill.local", password: "long enough" });
      const client = server.newClient();
      const { data } = await client.auth.signInWithPassword({ email: passing.email, password: "long enough" });
      await server.context.db.deleteFrom("accounts").where("id", "=", passing.id).execute();
      expect(await codeOf(`Bearer ${data.session!.access_token}`)).toEqual([403, "user_not_found"]);
    });

    it("allows only sign-in and health without a session", async () => {
      for (const [method, path, status] of [
        ["GET", "/rest/v1/jobs", 401],
        ["GET", "/rest/v1/accounts", 401],
        ["POST", "/functions/v1/jobs", 401],
        ["GET", "/functions/v1/jobs?action=dashboard", 401],
        ["POST", "/functions/v1/settings", 401],
        ["POST", "/functions/v1/unknown", 401],
        ["GET", "/downloads/jobs/00000000-0000-4000-8000-000000000000", 403],
        ["POST", "/auth/v1/logout", 401],
        ["GET", "/health", 200],
        ["GET", "/ready", 200],
      ] as const) {
        expect([path, (await fetch(server.url + path, { method })).status]).toEqual([path, status]);
      }
    });
  });

  describe("the browser's cookie", () => {
    const ownPage = { "sec-fetch-site": "same-origin" };

    // spec 4.10.1
    it("holds the refresh token, which scripts never see", async () => {
      const { session, cookie } = await signIn(ownPage);
      expect(session.refresh_token).toMatch(/^cookie\./);
      expect(cookie).toMatch(
        /^clipmill-[0-9a-f]{8}=[\w-]{43}; Max-Age=2592000; Path=\/auth\/v1; HttpOnly; SameSite=Strict$/,
      );
      const response = await refresh(session.refresh_token, { ...ownPage, cookie: cookieOf(cookie) });
      expect(response.status).toBe(200);
      const next = response.headers.get("set-cookie");
      expect(cookieOf(next)).not.toBe(cookieOf(cookie));
      expect(((await response.json()) as SessionBody).refresh_token).not.toBe(session.refresh_token);
    });

    it("is Secure when the browser uses https", async () => {
      expect((await signIn({ ...ownPage, "x-forwarded-proto": "https" })).cookie).toMatch(/; Secure/);
    });

    it("depends on the origin if the browser does not send the site", async () => {
      const { session, cookie } = await signIn({ origin: server.url });
      expect(session.refresh_token).toMatch(/^cookie\./);
      expect(cookie).toContain("HttpOnly");
      expect((await signIn({ origin: "http://elsewhere.test" })).cookie).toBeNull();
    });

    it("is deleted at sign-out", async () => {
      const { session, cookie } = await signIn(ownPage);
      const headers = { ...ownPage, cookie: cookieOf(cookie), authorization: `Bearer ${session.access_token}` };
      const response = await post("logout?scope=local", {}, headers);
      expect(response.headers.get("set-cookie")).toMatch(/=; Max-Age=0; Path=\/auth\/v1/);
      const late = await refresh(session.refresh_token, { ...ownPage, cookie: cookieOf(cookie) });
      expect(await late.json()).toMatchObject({ error_code: "session_not_found" });
    });

    it("is rejected for pages of other sites, and placeholders without it fail", async () => {
      const { session, cookie } = await signIn(ownPage);
      const other = { "sec-fetch-site": "cross-site", cookie: cookieOf(cookie) };
      expect((await refresh(session.refresh_token, other)).status).toBe(401);
      const without = await refresh(session.refresh_token, ownPage);
      expect(await without.json()).toMatchObject({ error_code: "refresh_token_not_found" });
    });
  });
});
