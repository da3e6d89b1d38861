/** What an attacker, or a faulty assistant, could send. */
import { createHash, randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteOldCodes } from "#operations/retention/delete-old-rows.ts";
import { createApiToken } from "#tests/support/servers/api-token.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

const CALLBACK = "https://assistant.test/callback?from=clipmill";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

type Answer = { status: number; body: Record<string, unknown>; headers: Headers };

async function send(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(server.url + path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith("{") ? JSON.parse(text) : {} };
}

function register(metadata: object): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  return send("/oauth/register", { method: "POST", headers, body: JSON.stringify(metadata) });
}

async function clientIdOf(redirectUri: string): Promise<string> {
  return (await register({ client_name: "Test", redirect_uris: [redirectUri] })).body["client_id"] as string;
}

function exchange(form: Record<string, string | undefined>, from = "10.0.0.1"): Promise<Answer> {
  const sent = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const headers = { "x-forwarded-for": from };
  return send("/oauth/token", { method: "POST", headers, body: new URLSearchParams(sent) });
}

async function ask(action: "check" | "allow", request: object, bearer?: string): Promise<Answer> {
  const session = bearer ?? (await server.client.auth.getSession()).data.session!.access_token;
  return await send("/functions/v1/oauth", {
    method: "POST",
    headers: { authorization: `Bearer ${session}` },
    body: JSON.stringify({ action, scopes: ["jobs:read"], ...request }),
  });
}

type Begun = { request: Record<string, string>; form: Record<string, string> };

/** `request` is for the screen, and `form` exchanges the code that `codeOf` adds. */
async function begin(redirectUri = CALLBACK): Promise<Begun> {
  const verifier = randomBytes(32).toString("base64url");
  const shared = { client_id: await clientIdOf(redirectUri), redirect_uri: redirectUri, resource: `${server.url}/mcp` };
  return {
    request: {
      ...shared,
      response_type: "code",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      state: "of the assistant",
    },
    form: { ...shared, grant_type: "authorization_code", code_verifier: verifier },
  };
}

async function codeOf({ request }: Begun, more: object = {}): Promise<string> {
  const { body, status } = await ask("allow", { ...request, ...more });
  expect([status, body]).toEqual([200, body]);
  return new URL(body["redirect_url"] as string).searchParams.get("code")!;
}

/** With a code. */
async function beginAllowed(): Promise<Record<string, string>> {
  const begun = await begin();
  return { ...begun.form, code: await codeOf(begun) };
}

async function statusOfTools(token: string, path = "/mcp"): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  return (await send(path, { method: "POST", headers, body })).status;
}

const REFUSED = { status: 400, body: { error: "invalid_grant" } };

describe("discovery", () => {
  it("starts at /mcp, which accepts no cookie", async () => {
    const { access_token: token } = (await server.client.auth.getSession()).data.session!;
    const signedIn = await send("/auth/v1/token?grant_type=password", {
      method: "POST",
      headers: { origin: server.url, "sec-fetch-site": "same-origin" },
      body: JSON.stringify(TEST_ACCOUNT),
    });
    const cookie = signedIn.headers.getSetCookie()[0]!.split(";")[0]!;
    const { status, headers } = await send("/mcp", { method: "POST", headers: { cookie } });
    expect(status).toBe(401);
    const metadata = `${server.url}/.well-known/oauth-protected-resource/mcp`;
    expect(headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${metadata}", scope="jobs:read jobs:write sets library"`,
    );
    const wrong = await send("/mcp", { method: "POST", headers: { authorization: "Bearer clm_wrong" } });
    expect(wrong.headers.get("www-authenticate")).toContain('error="invalid_token"');
    expect(await statusOfTools(token)).toBe(200);
    expect(await statusOfTools(token, "/mcp/")).toBe(200);
  });

  it("describes the resource and the authorization server by the address that the client used", async () => {
    for (const path of ["", "/mcp"]) {
      expect((await send(`/.well-known/oauth-protected-resource${path}`)).body).toMatchObject({
        resource: `${server.url}/mcp`,
        authorization_servers: [server.url],
        bearer_methods_supported: ["header"],
      });
    }
    expect((await send("/.well-known/oauth-authorization-server")).body).toMatchObject({
      issuer: server.url,
      authorization_endpoint: `${server.url}/oauth/authorize`,
      token_endpoint: `${server.url}/oauth/token`,
      registration_endpoint: `${server.url}/oauth/register`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code"],
      scopes_supported: ["jobs:read", "jobs:write", "sets", "library", "cloak"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    });
    for (const path of ["/.well-known/openid-configuration", "/oauth/token", "/oauth/register"]) {
      expect([path, (await send(path)).status]).toEqual([path, 404]);
    }
    const headers = { "x-forwarded-proto": "https, http", "x-forwarded-for": "10.0.0.1" };
    const { body } = await send("/.well-known/oauth-protected-resource", { headers });
    expect(body["resource"]).toBe(`${server.url.replace("http:", "https:")}/mcp`);
  });

  it("follows PUBLIC_URL, not a forged Host header, except for a direct request to one of its own addresses", async () => {
    const own = await startTestServer(undefined, {
      publicUrl: "https://clips.test",
      ownOrigins: ["http://localhost:1"],
    });
    const issuerFor = (headers: Record<string, string>): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const address = `${own.url}/.well-known/oauth-authorization-server`;
        const sent = httpRequest(address, { headers }, (response) => {
          response.setEncoding("utf8").on("data", (text: string) => resolve(JSON.parse(text).issuer));
        });
        sent.on("error", reject).end();
      });
    expect(await issuerFor({ host: "evil.test" })).toBe("https://clips.test");
    expect(await issuerFor({ host: "localhost:1" })).toBe("http://localhost:1");
    for (const header of ["x-forwarded-for", "x-forwarded-proto", "x-real-ip", "forwarded", "via"]) {
      expect([header, await issuerFor({ host: "localhost:1", [header]: "x" })]).toEqual([header, "https://clips.test"]);
    }
    await own.close();
  });

  it("lets assistants in browsers call from other sites, without credentials", async () => {
    const headers = {
      origin: "https://assistant.test",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization, mcp-protocol-version",
    };
    const paths = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"];
    for (const path of [...paths, "/oauth/register", "/oauth/token", "/mcp"]) {
      const preflight = await send(path, { method: "OPTIONS", headers });
      expect([path, preflight.status]).toEqual([path, 204]);
      expect(preflight.headers.get("access-control-allow-headers")).toBe("Authorization, *");
      const posted = await send(path, { method: paths.includes(path) ? "GET" : "POST", headers });
      for (const answer of [preflight, posted]) {
        expect(answer.headers.get("access-control-allow-origin")).toBe("*");
        expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      }
      expect(posted.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    }
    for (const path of ["/functions/v1/oauth", "/auth/v1/token", "/oauth/authorize"]) {
      const { headers: answered } = await send(path, { method: "OPTIONS", headers });
      expect([path, answered.get("access-control-allow-origin")]).toEqual([path, null]);
    }
  });
});

describe("registration", () => {
  it("accepts public clients, and stores nothing", async () => {
    const metadata = {
      client_name: "  An\u202Eassistant\nof mine ",
      redirect_uris: [
        CALLBACK,
        "http://[::1]:3000/cb",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "com.example.app:/cb",
      ],
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code", "refresh_token"],
    };
    const first = await register(metadata);
    expect(first).toMatchObject({
      status: 201,
      body: {
        client_name: "Anassistant of mine",
        redirect_uris: metadata.redirect_uris,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code"],
      },
    });
    expect(first.body).not.toHaveProperty("client_secret");
    expect((await register(metadata)).body["client_id"]).toBe(first.body["client_id"]);
    expect((await register({ ...metadata, client_name: "\u200B" })).body["client_name"]).toBe("assistant.test");
  });

  it("rejects redirect URIs that could lead anywhere or run code", async () => {
    const wrong = [
      "http://assistant.test/cb",
      "http://127.0.0.1.evil.test/cb",
      "http://user@127.0.0.1/cb",
      "https://assistant.test/cb#fragment",
      "https://assistant.test/c b",
      "javascript:alert(1)",
      "java\nscript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "ms-msdt:/id",
      "vscode://file/etc/passwd",
      "vscode:extension/publisher.name",
      "cursor://anysphere.cursor-deeplink/mcp/install?name=x",
      "/callback",
      "",
      `https://assistant.test/${"a".repeat(500)}`,
    ];
    for (const uri of wrong) {
      const { status, body } = await register({ redirect_uris: [uri] });
      expect([uri, status, body["error"]]).toEqual([uri, 400, "invalid_redirect_uri"]);
      expect(body["error_description"]).toMatch(/^A redirect URI .+\.$/);
      // An assistant may register one for each of its platforms.
      expect((await register({ redirect_uris: [uri, CALLBACK] })).body["redirect_uris"]).toEqual([CALLBACK]);
    }
    for (const uris of [undefined, [], "x", [1], Array.from({ length: 11 }, () => CALLBACK)]) {
      expect((await register({ redirect_uris: uris })).body["error"]).toBe("invalid_redirect_uri");
    }
    const headers = { "x-forwarded-for": "10.0.0.1" };
    const broken = await send("/oauth/register", { method: "POST", headers, body: "[1" });
    expect(broken).toMatchObject({ status: 400, body: { error: "invalid_client_metadata" } });
  });
});

describe("the operator's decision", () => {
  it("is possible only about a valid request of a registered client, and never redirects otherwise", async () => {
    const { request } = await begin();
    const [statement, signature] = request["client_id"]!.split(".") as [string, string];
    const forged = Buffer.from(JSON.stringify(["Test", ["https://evil.test/"]])).toString("base64url");
    const wrong: [object, string][] = [
      [{ client_id: "unknown" }, "not registered"],
      [{ client_id: `${forged}.${signature}` }, "not registered"],
      [{ client_id: `${statement}.${signature}.x` }, "not registered"],
      [{ redirect_uri: "https://evil.test/" }, "redirect URI"],
      [{ redirect_uri: `${CALLBACK}&more` }, "redirect URI"],
      [{ redirect_uri: CALLBACK.replace("assistant.test", "assistant.test:8443") }, "redirect URI"],
      [{ response_type: "token" }, "response_type"],
      [{ response_type: undefined }, "response_type"],
      [{ code_challenge: undefined }, "PKCE"],
      [{ code_challenge: "short" }, "PKCE"],
      [{ code_challenge_method: "plain" }, "PKCE"],
      [{ code_challenge_method: undefined }, "PKCE"],
      [{ resource: "https://elsewhere.test/mcp" }, "another server"],
      [{ resource: server.url }, "another server"],
      [{ state: "x".repeat(5_000) }, "4000 characters"],
    ];
    for (const action of ["check", "allow"] as const) {
      for (const [change, sentence] of wrong) {
        const { status, body } = await ask(action, { ...request, ...change });
        expect([change, status, body]).toEqual([change, 400, body]);
        expect(body["error"]).toContain(sentence);
      }
    }
    expect((await ask("allow", { ...request, scopes: ["all"] })).status).toBe(400);
    expect((await ask("allow", { ...request, scopes: [] })).body["error"]).toBe("Select at least one permission.");
    expect((await ask("allow", { ...request, expires_at: "2020-01-01T00:00:00Z" })).status).toBe(400);
    expect(await server.context.db.selectFrom("oauth_codes").selectAll().execute()).toEqual([]);
  });

  it("allows another port on this computer, and no other difference", async () => {
    const { request } = await begin("http://127.0.0.1:3000/cb");
    const status = async (uri: string) => (await ask("check", { ...request, redirect_uri: uri })).status;
    expect(await status("http://127.0.0.1:51234/cb")).toBe(200);
    expect(await status("http://127.0.0.1/cb")).toBe(200);
    for (const other of [
      "http://127.0.0.1:3000/x/../cb",
      "http://localhost:3000/cb",
      "http://127.0.0.1:3000/other",
      "https://127.0.0.1:3000/cb",
    ]) {
      expect([other, await status(other)]).toEqual([other, 400]);
    }
  });

  it("says who asks, and brings back the state and the issuer", async () => {
    const { request } = await begin();
    const { body } = await ask("check", { ...request, scope: "admin openid jobs:read" });
    const { deny_url: denied, ...asked } = body["data"] as Record<string, string>;
    expect(asked).toEqual({
      client_name: "Test",
      target: { kind: "website", name: "assistant.test" },
      scopes: ["jobs:read", "admin"],
    });
    const answers = [denied!, (await ask("allow", request)).body["redirect_url"] as string].map((one) => new URL(one));
    for (const { searchParams } of answers) {
      expect(searchParams.get("from")).toBe("clipmill");
      expect(searchParams.get("state")).toBe("of the assistant");
      expect(searchParams.get("iss")).toBe(server.url);
    }
    expect(answers[0]!.searchParams.get("error")).toBe("access_denied");
    expect(denied).toMatch(new RegExp(`^${RegExp.escape(CALLBACK)}&error=`));
    const app = await begin("com.example.app:/cb");
    expect((await ask("check", app.request)).body["data"]).toMatchObject({ target: { kind: "app" }, deny_url: null });
    // Text as it was registered, which a parser would change.
    const bare = await begin("https://assistant.test");
    expect((await ask("allow", bare.request)).body["redirect_url"]).toMatch(/^https:\/\/assistant\.test\?code=/);
  });

  it("requires a session, and a proof of identity if it is not new", async () => {
    const { request } = await begin();
    expect((await ask("allow", request, "none")).status).toBe(401);
    expect((await ask("allow", request, await createApiToken(server.client))).status).toBe(403);
    const age = (interval: string) =>
      sql`update sessions set created_at = now() - ${interval}::interval`.execute(server.context.db);
    await age("16 minutes");
    expect(await ask("allow", request)).toMatchObject({ status: 403, body: { code: "reauthentication_needed" } });
    expect((await ask("allow", { ...request, current_password: "wrong" })).status).toBe(400);
    expect((await ask("allow", { ...request, current_password: TEST_ACCOUNT.password })).status).toBe(200);
    await age("0 minutes");
  });
});

describe("a code", () => {
  it("is valid once; used again, it revokes its token", async () => {
    const form = await beginAllowed();
    const { body } = await exchange(form);
    const token = body["access_token"] as string;
    expect(body).toEqual({ access_token: token, token_type: "Bearer", scope: "jobs:read" });
    expect(await statusOfTools(token)).toBe(200);
    expect(await exchange({ ...form, client_id: await clientIdOf("https://other.test/") })).toMatchObject(REFUSED);
    expect(await exchange({ ...form, code_verifier: "guessed" })).toMatchObject(REFUSED);
    expect(await statusOfTools(token)).toBe(200);
    expect(await exchange(form)).toMatchObject(REFUSED);
    expect(await statusOfTools(token)).toBe(401);
    const entries = await server.context.db
      .selectFrom("audit_entries")
      .select(["email", "action", "subject_name"])
      .orderBy("id", "desc")
      .limit(2)
      .execute();
    expect(entries).toEqual([
      { email: "clipmill", action: "token.revoke", subject_name: "Test" },
      { email: TEST_ACCOUNT.email, action: "token.create", subject_name: "Test" },
    ]);
  });

  it("gives no token that lasts if it is used at the same time", async () => {
    const form = await beginAllowed();
    const answers = await Promise.all([1, 2, 3].map(() => exchange(form)));
    const tokens = answers.flatMap(({ body }) => (body["access_token"] as string | undefined) ?? []);
    expect(tokens).toHaveLength(1);
    expect(await statusOfTools(tokens[0]!)).toBe(401);
  });

  it("is bound to the client, the redirect URI, the verifier and the resource", async () => {
    const form = await beginAllowed();
    const wrong = {
      client_id: await clientIdOf("https://other.test/"),
      redirect_uri: "https://assistant.test/callback",
      code_verifier: randomBytes(32).toString("base64url"),
      resource: "https://elsewhere.test/mcp",
      code: randomBytes(32).toString("base64url"),
    };
    for (const [name, value] of Object.entries(wrong)) {
      expect([name, await exchange({ ...form, [name]: value })]).toMatchObject([name, REFUSED]);
    }
    expect(await exchange({ ...form, client_id: "unknown" })).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    });
    for (const name of ["code", "client_id", "redirect_uri", "code_verifier", "grant_type"]) {
      const { status, body } = await exchange({ ...form, [name]: undefined });
      expect([name, status, body["error"]]).toEqual([name, 400, "invalid_request"]);
    }
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const twice = `${new URLSearchParams(form).toString()}&resource=x`;
    expect((await send("/oauth/token", { method: "POST", headers, body: twice })).body["error"]).toBe(
      "invalid_request",
    );
    expect((await exchange({ ...form, grant_type: "refresh_token" })).body["error"]).toBe("unsupported_grant_type");
    expect((await exchange({ ...form, resource: undefined })).status).toBe(200);
  });

  it("ends after five minutes, and with the session that allowed it", async () => {
    const { db } = server.context;
    const form = await beginAllowed();
    const remaining = sql<number>`extract(epoch from expires_at - now())::float`;
    const { seconds } = await db
      .selectFrom("oauth_codes")
      .select(remaining.as("seconds"))
      .orderBy("expires_at", "desc")
      .executeTakeFirstOrThrow();
    expect(Math.round(seconds / 60)).toBe(5);
    await sql`update oauth_codes set expires_at = now() - interval '1 millisecond'`.execute(db);
    expect(await exchange(form)).toMatchObject(REFUSED);

    const later = await beginAllowed();
    await server.client.auth.signOut({ scope: "local" });
    expect(await exchange(later)).toMatchObject(REFUSED);
    await server.client.auth.signInWithPassword(TEST_ACCOUNT);
  });

  it("is stored as a hash, and deleted a day later", async () => {
    const { db } = server.context;
    const form = await beginAllowed();
    expect(JSON.stringify(await db.selectFrom("oauth_codes").selectAll().execute())).not.toContain(form["code"]);
    await deleteOldCodes({ db }, new Date(Date.now() + 23 * 3_600_000));
    expect((await exchange(form)).status).toBe(200);
    await deleteOldCodes({ db }, new Date(Date.now() + 25 * 3_600_000));
    expect(await db.selectFrom("oauth_codes").selectAll().execute()).toEqual([]);
  });

  it("gives no token above the account's limit", async () => {
    const { db } = server.context;
    const begun = await begin();
    const form = { ...begun.form, code: await codeOf(begun) };
    await sql`insert into api_tokens (account_id, name, scopes, digest, last4)
      select id, 'filler', '{sets}', 'filler ' || number, 'x' from accounts, generate_series(1, 100) as number`.execute(
      db,
    );
    expect((await exchange(form)).body["error_description"]).toContain("at most 100 tokens");
    expect((await ask("allow", begun.request)).body["error"]).toContain("at most 100 tokens");
    await db.deleteFrom("api_tokens").where("name", "=", "filler").execute();
    expect((await exchange(form)).status).toBe(200);
  });

  it("can be guessed only 30 times, which does not lock out others at the same address", async () => {
    const form = await beginAllowed();
    const statuses: number[] = [];
    for (let sent = 0; sent < 31; sent++) {
      statuses.push((await exchange({ ...form, code: `guess ${sent}` }, "10.0.0.7")).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 400), 429]);
    expect((await exchange(form, "10.0.0.7")).status).toBe(200);
  });
});
