/** Against oidc-provider, the certified library. */
import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OPENID_PATHS } from "#contract/accounts/sign-in.ts";
import { createAccount } from "#operations/accounts/create-account.ts";
import { disableAccount, enableAccount, resetPassword } from "#operations/accounts/disable-account.ts";
import { createSignInLink } from "#operations/accounts/mail/create-sign-in-link.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";
import { type MailServer, startMailServer } from "#tests/support/twins/mail-server.ts";
import { type OpenIdTwin, type Person, startOpenIdTwin } from "#tests/support/twins/openid/openid-twin.ts";
import { createVisitor, type Visitor } from "#tests/support/twins/openid/visitor.ts";

type Session = { access_token: string; refresh_token: string; user: { id: string; email: string } };
type Claims = { amr: { method: string; timestamp: number }[]; session_id: string };

let acme: OpenIdTwin;
let inbox: MailServer;
let server: TestServer;
let people = 0;
const logged: string[] = [];

beforeAll(async () => {
  acme = await startOpenIdTwin();
  const port = await findFreePort();
  const log = pino(
    { level: "trace" },
    new Writable({ write: (line, _encoding, done) => done(void logged.push(`${line}`)) }),
  );
  inbox = await startMailServer();
  const publicUrl = `http://127.0.0.1:${port}`;
  server = await startTestServer(undefined, { port, publicUrl, log, mailer: inbox.mailer, openId: acme.openId() });
  acme.accept(server.url);
});
afterAll(async () => {
  await server.close();
  await acme.close();
  await inbox.close();
});
beforeEach(() => {
  acme.faults.length = 0;
  acme.visitor = null;
});

/** Signed in at Acme already. Each test has its own. */
function newPerson(person: Person = {}): { sub: string; email: string } {
  people += 1;
  const sub = `person-${people}`;
  const email = person.email ?? `${sub}@acme.test`;
  acme.people.set(sub, { email_verified: true, ...person, email });
  acme.visitor = sub;
  return { sub, email };
}

const startUrl = (query = "") => `${server.url}${OPENID_PATHS.start}${query}`;
const signOutUrl = () => server.url + OPENID_PATHS.signOut;
const callbackUrl = () => server.url + OPENID_PATHS.callback;

/** Returns the page that the browser ends on. */
async function signIn(visitor: Visitor, query = ""): Promise<URL> {
  const callback = await visitor.follow(startUrl(query), callbackUrl());
  return new URL(await visitor.follow(callback, `${server.url}/`));
}

/** As the page does, with the cookie. */
async function fetchSession(visitor: Visitor): Promise<Session> {
  const response = await visitor.open(`${server.url}/auth/v1/token?grant_type=refresh_token`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin", origin: server.url },
    body: JSON.stringify({ refresh_token: "cookie.arrival" }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Session;
}

function claimsOf({ access_token: token }: Session): Claims {
  return JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as Claims;
}

const problemOf = (page: URL) => new URLSearchParams(page.hash.slice(1)).get("error_description");

async function call(
  method: string,
  path: string,
  body: object,
  token?: string,
): Promise<{ status: number; text: string }> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

const createToken = (token: string) =>
  call("POST", "/functions/v1/tokens", { action: "create", name: "Nightly", scopes: ["jobs:read"] }, token);

const withPassword = (email: string, password: string) =>
  call("POST", "/auth/v1/token?grant_type=password", { email, password });

async function trailOf(email: string): Promise<[string, string | null][]> {
  const rows = server.context.db.selectFrom("audit_entries").select(["action", "subject"]).where("email", "=", email);
  return (await rows.orderBy("id").execute()).map(({ action, subject }) => [action, subject]);
}

async function countSessions(email: string): Promise<number> {
  const rows = await server.context.db
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "account_id")
    .select("sessions.id")
    .where("email", "=", email)
    .execute();
  return rows.length;
}

describe("sign-in at the identity provider", () => {
  it("creates the account at the first sign-in, and finds it at the next, whatever the address is then", async () => {
    const { sub, email } = newPerson();
    const visitor = createVisitor();
    const page = await signIn(visitor);
    expect(page.href).toBe(`${server.url}/#signed_in=openid`);
    const session = await fetchSession(visitor);
    expect(session.user.email).toBe(email);
    expect(claimsOf(session).amr).toMatchObject([{ method: "oauth" }]);
    expect((await call("POST", "/functions/v1/jobs", { action: "list" }, session.access_token)).status).toBe(200);

    acme.people.set(sub, { email: "married@acme.test", email_verified: true });
    const later = createVisitor();
    await signIn(later);
    expect((await fetchSession(later)).user).toMatchObject({ id: session.user.id, email });
    expect(await trailOf(email)).toEqual([
      ["account.sign-up", null],
      ["account.sign-in", "Acme"],
      ["account.sign-in", "Acme"],
    ]);
  });

  it("creates one account for two first sign-ins at the same time", async () => {
    const { email } = newPerson();
    const visitors = [createVisitor(), createVisitor()];
    const pages = await Promise.all(visitors.map((visitor) => signIn(visitor)));
    expect(pages.map(problemOf)).toEqual([null, null]);
    const [one, two] = await Promise.all(visitors.map(fetchSession));
    expect(one!.user).toMatchObject({ id: two!.user.id, email });
  });

  it("uses PKCE, state and nonce, a Lax cookie for the start, and a Strict one for the session; no address has a token", async () => {
    newPerson();
    const visitor = createVisitor();
    const response = await visitor.open(startUrl());
    const asked = new URL(response.headers.get("location")!);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: "code",
      redirect_uri: callbackUrl(),
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(visitor.received[0]).toMatch(/-start=.*Max-Age=600; Path=\/auth\/v1\/oidc; HttpOnly; SameSite=Lax$/);
    const callback = await visitor.follow(asked.href, callbackUrl());
    const page = await visitor.follow(callback, `${server.url}/`);
    const set = visitor.received.filter((cookie) => cookie.startsWith("clipmill-"));
    expect(
      set.some((cookie) => /^clipmill-\w+=[\w-]{43}; .*Path=\/auth\/v1; HttpOnly; SameSite=Strict$/.test(cookie)),
    ).toBe(true);
    expect(set.every((cookie) => cookie.includes("HttpOnly"))).toBe(true);
    expect(`${callback} ${page}`).not.toMatch(/token=/);
  });

  it("returns to the page that the person came from, and to no other site", async () => {
    newPerson();
    const own = `${server.url}/oauth/authorize?client_id=a&state=b`;
    for (const target of [
      own,
      "/jobs?page=2",
      "https://evil.test/",
      "//evil.test/",
      "/\\evil.test",
      "javascript:alert(1)",
    ]) {
      const page = await signIn(createVisitor(), `?redirect_to=${encodeURIComponent(target)}`);
      expect(page.origin).toBe(server.url);
      const expected =
        target === own ? own : target === "/jobs?page=2" ? `${server.url}/jobs?page=2` : `${server.url}/`;
      expect(page.href).toBe(`${expected}#signed_in=openid`);
    }
  });

  it("rejects a wrong state, a forged or missing cookie, and the same callback twice", async () => {
    const { email } = newPerson();
    const sentence = "This sign-in has expired, or was started in another tab. Sign in again.";
    const attacker = createVisitor();
    const callback = await attacker.follow(startUrl(), callbackUrl());

    // A link to the attacker's own callback must not sign a victim in as the attacker.
    const victim = createVisitor();
    await victim.open(startUrl());
    for (const visitor of [victim, createVisitor()]) {
      const page = new URL(await visitor.follow(callback, `${server.url}/`));
      expect([page.pathname, problemOf(page)]).toEqual(["/", sentence]);
    }
    const wrong = createVisitor();
    await wrong.open(startUrl());
    const changed = new URL(callback);
    changed.searchParams.set("state", "another");
    expect(problemOf(new URL(await wrong.follow(changed.href, `${server.url}/`)))).toBe(sentence);

    const forged = createVisitor();
    for (const [name, value] of attacker.cookies(server.url)) {
      forged.cookies(server.url).set(name, value.replace(/\.[^.]{4}/, ".aaaa"));
    }
    expect(problemOf(new URL(await forged.follow(callback, `${server.url}/`)))).toBe(sentence);
    expect(await countSessions(email)).toBe(0);

    expect(problemOf(new URL(await attacker.follow(callback, `${server.url}/`)))).toBeNull();
    expect(problemOf(new URL(await attacker.follow(callback, `${server.url}/`)))).toBe(sentence);
    expect(await countSessions(email)).toBe(1);
  });

  it("rejects an expired code, and a used one", async () => {
    const { email } = newPerson();
    const sentence = "This sign-in has expired, or was started in another tab. Sign in again.";
    const visitor = createVisitor();
    const callback = await visitor.follow(startUrl(), callbackUrl());
    acme.expireCode(new URL(callback).searchParams.get("code")!);
    expect(problemOf(new URL(await visitor.follow(callback, `${server.url}/`)))).toBe(sentence);

    const second = await visitor.follow(startUrl(), callbackUrl());
    const kept = new Map(visitor.cookies(server.url));
    expect(problemOf(new URL(await visitor.follow(second, `${server.url}/`)))).toBeNull();
    for (const [name, value] of kept) visitor.cookies(server.url).set(name, value);
    expect(problemOf(new URL(await visitor.follow(second, `${server.url}/`)))).toBe(sentence);
    expect(await countSessions(email)).toBe(1);
  });

  it("keeps a disabled account out, also at the first sign-in", async () => {
    const sentence = "This account has been disabled. Contact your administrator.";
    const { email } = newPerson();
    await createAccount(server.context, { email, password: "a long password" });
    await disableAccount(server.context, email);
    expect(problemOf(await signIn(createVisitor()))).toBe(sentence);
    await enableAccount(server.context, email);
    expect(problemOf(await signIn(createVisitor()))).toBeNull();
    await disableAccount(server.context, email);
    expect(problemOf(await signIn(createVisitor()))).toBe(sentence);
    const failed = (await trailOf(email)).filter(([action]) => action === "account.sign-in-failed");
    expect(failed).toEqual([
      ["account.sign-in-failed", "127.0.0.1"],
      ["account.sign-in-failed", "127.0.0.1"],
    ]);
  });

  it("says in one sentence that the provider is down, slow, or sends what it should not", async () => {
    newPerson();
    const down = "Acme could not be reached. Try again in a moment.";
    const invalid = "The response of Acme is not valid. Ask your administrator.";
    const cases: [string, (typeof acme.faults)[number]["response"], string][] = [
      ["/token", "cut", down],
      ["/token", { status: 503, body: "<html>" }, down],
      ["/token", { status: 200, type: "application/json", body: "{" }, down],
      ["/token", { status: 200, type: "application/json", body: `"${"x".repeat(1_100_000)}"` }, down],
      [
        "/token",
        { status: 401, type: "application/json", body: '{"error":"invalid_client"}' },
        "Acme rejected Clipmill's client ID or secret. Ask your administrator.",
      ],
      [
        "/token",
        { status: 200, type: "application/json", body: '{"access_token":"a","token_type":"bearer"}' },
        invalid,
      ],
      ["/me", { status: 200, type: "application/json", body: '{"sub":"somebody else"}' }, invalid],
      ["/jwks", "hang", down],
      ["/jwks", { status: 200, type: "application/json", body: '{"keys":[]}' }, invalid],
    ];
    for (const [path, response, sentence] of cases) {
      acme.faults.push({ path, response });
      expect([path, problemOf(await signIn(createVisitor()))]).toEqual([path, sentence]);
    }
    expect(acme.faults).toEqual([]);
    // Nothing secret is in the log, which has a line for each.
    const lines = logged.filter((line) => line.includes("the OpenID provider"));
    expect(lines.length).toBeGreaterThanOrEqual(cases.length);
    expect(logged.join("")).not.toMatch(/the secret of a client|code=|eyJ/);
  });

  it("starts without the provider, whose sentence appears until it is back; passwords still work", async () => {
    const other = await startOpenIdTwin();
    const lone = await startTestServer(undefined, { openId: other.openId() });
    const start = lone.url + OPENID_PATHS.start;
    other.accept(lone.url);
    other.people.set("ada", { email: "ada@acme.test", email_verified: true });
    other.visitor = "ada";
    for (const response of ["cut", "hang", { status: 500, body: "" }] as const) {
      other.faults.push({ path: "/.well-known/", response });
      const page = new URL(await createVisitor().follow(`${start}?redirect_to=/jobs`, `${lone.url}/jobs`));
      expect(problemOf(page)).toBe("Acme could not be reached. Try again in a moment.");
    }
    expect((await lone.client.auth.getSession()).data.session).not.toBeNull();
    const visitor = createVisitor();
    const callback = await visitor.follow(start, lone.url + OPENID_PATHS.callback);
    expect(await visitor.follow(callback, `${lone.url}/`)).toBe(`${lone.url}/#signed_in=openid`);
    await lone.close();
    await other.close();
  });

  it("accepts new keys immediately, and not the old ones", async () => {
    newPerson();
    expect(problemOf(await signIn(createVisitor()))).toBeNull();
    acme.rotateKeys();
    expect(problemOf(await signIn(createVisitor()))).toBeNull();
    const [visitor, before] = [createVisitor(), await fetch(`${acme.issuer}/jwks`).then((response) => response.text())];
    acme.rotateKeys();
    acme.faults.push({ path: "/jwks", response: { status: 200, type: "application/json", body: before } });
    expect(problemOf(await signIn(visitor))).toBe("The response of Acme is not valid. Ask your administrator.");
  });

  it("shows that the provider denied the sign-in", async () => {
    newPerson();
    acme.visitor = "nobody";
    expect(problemOf(await signIn(createVisitor()))).toBe("Acme did not sign you in.");
  });

  it("limits attempts per address", async () => {
    const limited = await startTestServer(undefined, { openId: acme.openId() });
    const problems = new Set<string | null>();
    for (let attempt = 0; attempt < 61; attempt += 1) {
      const response = await fetch(limited.url + OPENID_PATHS.callback, { redirect: "manual" });
      problems.add(problemOf(new URL(response.headers.get("location")!, limited.url)));
    }
    expect([...problems].at(-1)).toBe("Too many sign-in attempts. Try again in 10 minutes.");
    await limited.close();
  });
});

describe("who may sign in", () => {
  it("compares the verified address's domain exactly, ignoring case", async () => {
    const outcomes: [Person, string | null][] = [
      [{ email: "Ada.Caps@ACME.test" }, null],
      [{ email: "eve@evil-acme.test" }, "eve@evil-acme.test may not use Clipmill. Ask your administrator for access."],
      [{ email: "eve@sub.acme.test" }, "eve@sub.acme.test may not use Clipmill. Ask your administrator for access."],
      [{ email: "eve@acme.test.evil" }, "eve@acme.test.evil may not use Clipmill. Ask your administrator for access."],
      [
        { email: "new@acme.test", email_verified: false },
        "The identity provider has not verified new@acme.test. Verify the address there, then sign in again.",
      ],
    ];
    for (const [person, sentence] of outcomes) {
      newPerson(person);
      expect(problemOf(await signIn(createVisitor()))).toBe(sentence);
    }
    const { sub } = newPerson();
    acme.people.set(sub, {});
    expect(problemOf(await signIn(createVisitor()))).toMatch(/sent no email address/);
  });

  it("requires a group, and keeps a person out who left it", async () => {
    const rules = { domains: ["*"], groups: ["editors", "admins"], groupsClaim: "groups", trustsEmails: false };
    const port = await findFreePort();
    const grouped = await startTestServer(undefined, { port, openId: acme.openId({ rules }) });
    acme.accept(grouped.url);
    const enter = async () => {
      const visitor = createVisitor();
      const callback = await visitor.follow(grouped.url + OPENID_PATHS.start, grouped.url + OPENID_PATHS.callback);
      return problemOf(new URL(await visitor.follow(callback, `${grouped.url}/`)));
    };
    const { sub, email } = newPerson({ email: "any@where.test", groups: ["staff", "editors"] });
    expect(await enter()).toBeNull();
    acme.people.set(sub, { email, email_verified: true, groups: ["staff"] });
    expect(await enter()).toBe(`${email} may not use Clipmill. Ask your administrator for access.`);
    acme.people.set(sub, { email, email_verified: true });
    expect(await enter()).toBe(`${email} may not use Clipmill. Ask your administrator for access.`);
    await grouped.close();
  });
});

describe("an account with a password", () => {
  const PASSWORD = "a long password";

  it("moves to the provider with its verified address: its password and sessions end, its second step stays", async () => {
    const { email } = newPerson();
    await createAccount(server.context, { email, password: PASSWORD });
    const before = JSON.parse((await withPassword(email, PASSWORD)).text) as Session;
    await server.context.db
      .insertInto("factors")
      .values({ account_id: before.user.id, friendly_name: "Phone", sealed_secret: "x", verified_at: "2026-01-01" })
      .execute();

    const visitor = createVisitor();
    expect(problemOf(await signIn(visitor))).toBeNull();
    const session = await fetchSession(visitor);
    expect(session.user.id).toBe(before.user.id);
    expect((await withPassword(email, PASSWORD)).text).toContain("invalid_credentials");
    expect((await call("POST", "/functions/v1/jobs", { action: "list" }, before.access_token)).status).toBe(401);
    const locked = await call("POST", "/functions/v1/jobs", { action: "list" }, session.access_token);
    expect(locked.text).toContain("Enter the code from your authenticator app first.");
    expect(await trailOf(email)).toContainEqual(["account.link", "Acme"]);

    // The terminal gives it a password again.
    await resetPassword(server.context, { email, password: "another password", removesSecondStep: true });
    expect((await withPassword(email, "another password")).status).toBe(200);
    expect((await withPassword(email, PASSWORD)).status).toBe(400);
  });

  it("gets no emailed links and no password while it is at the provider", async () => {
    const { email } = newPerson();
    const visitor = createVisitor();
    await signIn(visitor);
    const { access_token: token } = await fetchSession(visitor);
    const changed = await call("PUT", "/auth/v1/user", { password: PASSWORD }, token);
    expect([changed.status, changed.text]).toEqual([422, expect.stringContaining("it cannot have a password")]);

    inbox.mails.length = 0;
    const other = "with-password@acme.test";
    await createAccount(server.context, { email: other, password: PASSWORD });
    for (const path of ["/auth/v1/recover", "/auth/v1/otp"]) {
      for (const to of [email, other])
        expect(await call("POST", path, { email: to })).toEqual({ status: 200, text: "{}" });
    }
    await expect.poll(() => inbox.mails.length).toBe(2);
    expect(inbox.mails.map(({ to }) => to)).toEqual([other, other]);
  });

  it("is not taken over by an address that is not verified, or by another person with its address", async () => {
    const { email } = newPerson({ email: "boss@acme.test" });
    await createAccount(server.context, { email, password: PASSWORD });
    const trusting = { domains: ["acme.test"], groups: [], groupsClaim: "groups", trustsEmails: true };
    const port = await findFreePort();
    const other = await startTestServer(undefined, { port, openId: acme.openId({ rules: trusting }) });
    acme.accept(other.url);
    const enter = async () => {
      const visitor = createVisitor();
      const callback = await visitor.follow(other.url + OPENID_PATHS.start, other.url + OPENID_PATHS.callback);
      return problemOf(new URL(await visitor.follow(callback, `${other.url}/`)));
    };
    await createAccount(other.context, { email, password: PASSWORD });
    newPerson({ email, email_verified: false });
    expect(await enter()).toBe(`Another account uses ${email}. Ask your administrator for help.`);
    newPerson({ email: "unverified@acme.test", email_verified: false });
    expect(await enter()).toBeNull();

    newPerson({ email });
    expect(problemOf(await signIn(createVisitor()))).toBeNull();
    newPerson({ email });
    expect(problemOf(await signIn(createVisitor()))).toBe(
      `Another account uses ${email}. Ask your administrator for help.`,
    );
    await other.close();
  });
});

describe("proof of identity", () => {
  it("takes a recent password at the provider, not a session that it kept; the person can enter it again", async () => {
    newPerson();
    const visitor = createVisitor();
    await signIn(visitor);
    const { user: account, access_token: token } = await fetchSession(visitor);
    expect((await createToken(token)).status).toBe(200);

    // The provider reports that it asked for the password an hour ago.
    await server.context.db
      .updateTable("sessions")
      .set({ proved_at: new Date(Date.now() - 3_600_000).toISOString() })
      .where("id", "=", claimsOf(await fetchSession(visitor)).session_id)
      .execute();
    const refused = await createToken((await fetchSession(visitor)).access_token);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("Sign in again to continue.")]);

    const response = await visitor.open(startUrl("?prove=true"));
    const asked = new URL(response.headers.get("location")!);
    expect(asked.searchParams.get("max_age")).toBe("0");
    // Its session is not enough: it asks for the password, which this visitor enters at once.
    acme.calls.length = 0;
    const callback = await visitor.follow(asked.href, callbackUrl());
    expect(acme.calls.some((path) => path.startsWith("GET /interaction/"))).toBe(true);
    await visitor.follow(callback, `${server.url}/`);
    expect((await createToken((await fetchSession(visitor)).access_token)).status).toBe(200);
    const { db } = server.context;
    const open = await db
      .selectFrom("sessions")
      .select("id")
      .where("account_id", "=", account.id)
      .where("revoked_at", "is", null)
      .execute();
    expect(open).toEqual([{ id: claimsOf(await fetchSession(visitor)).session_id }]);
  });

  it("dates the session from the provider's own, which may be older", async () => {
    newPerson();
    const visitor = createVisitor();
    await signIn(visitor);
    const first = claimsOf(await fetchSession(visitor)).amr[0]!.timestamp;
    acme.calls.length = 0;
    await signIn(visitor);
    expect(acme.calls.some((path) => path.includes("/interaction/"))).toBe(false);
    expect(claimsOf(await fetchSession(visitor)).amr[0]!.timestamp).toBeLessThanOrEqual(first);
  });
});

describe("sign-out", () => {
  it("leads to the provider's sign-out page with the ID token, and back", async () => {
    newPerson();
    const visitor = createVisitor();
    await signIn(visitor);
    const asked = new URL((await visitor.open(signOutUrl())).headers.get("location")!);
    expect(asked.origin).toBe(acme.issuer);
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      client_id: "clipmill",
      id_token_hint: expect.stringMatching(/^eyJ/),
      post_logout_redirect_uri: `${server.url}/`,
    });
    const page = await visitor.open(asked.href);
    expect(page.status).toBe(200);
    // The cookie is used up.
    expect((await visitor.open(signOutUrl())).headers.get("location")).toBe(`${server.url}/`);
  });

  it("stays here without a sign-in at the provider, or while it is down", async () => {
    expect((await createVisitor().open(signOutUrl())).headers.get("location")).toBe(`${server.url}/`);
  });
});

describe("without passwords", () => {
  it("rejects them, sign-ups and emailed links; a link from the terminal signs in once", async () => {
    const publicUrl = `http://127.0.0.1:${await findFreePort()}`;
    const port = Number(new URL(publicUrl).port);
    const options = { port, publicUrl, mailer: inbox.mailer, allowSignup: true, openId: acme.openId() };
    const closed = await startTestServer(undefined, { ...options, hasPasswords: false });
    const { email, password } = TEST_ACCOUNT;
    const rejected: [string, object][] = [
      ["/token?grant_type=password", { email, password }],
      ["/signup", { email: "new@acme.test", password }],
      ["/recover", { email }],
      ["/otp", { email }],
      ["/resend", { email, type: "signup" }],
    ];
    const send = (path: string, body: object) =>
      fetch(`${publicUrl}/auth/v1${path}`, { method: "POST", body: JSON.stringify(body) });
    for (const [path, body] of rejected) {
      const response = await send(path, body);
      expect([path, response.status, await response.json()]).toEqual([
        path,
        422,
        expect.objectContaining({
          error_code: "email_provider_disabled",
          msg: "Signing in with a password is turned off. Use the button of your identity provider.",
        }),
      ]);
    }
    expect(await (await fetch(`${publicUrl}/health`)).json()).toEqual({
      status: "ok",
      sendsMail: true,
      hasPasswords: false,
      openIdName: "Acme",
    });

    const link = await createSignInLink(closed.context, { email, publicUrl });
    const opened = await createVisitor().open(link);
    const fragment = new URLSearchParams(new URL(opened.headers.get("location")!).hash.slice(1));
    const headers = { authorization: `Bearer ${fragment.get("access_token")}` };
    expect((await fetch(`${publicUrl}/auth/v1/user`, { headers })).status).toBe(200);
    const change = { method: "PUT", headers, body: JSON.stringify({ password: "another password" }) };
    expect((await fetch(`${publicUrl}/auth/v1/user`, change)).status).toBe(422);
    expect((await createVisitor().open(link)).headers.get("location")).toContain("otp_expired");
    await disableAccount(closed.context, email);
    await expect(createSignInLink(closed.context, { email, publicUrl })).rejects.toMatchObject({ code: "user_banned" });
    await closed.close();
  });
});
