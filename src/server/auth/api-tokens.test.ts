import { createClient } from "@supabase/supabase-js";
import type { Hono } from "hono";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiToken, TOKEN_SCOPES, type TokenScope } from "#contract/api-tokens.ts";
import { createAccount } from "#operations/accounts/create-account.ts";
import { disableAccount } from "#operations/accounts/disable-account.ts";
import { deleteExpiredTokens } from "#operations/retention/delete-old-rows.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { openTestApp, startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";
import type { ServerEnv } from "../server-context.ts";

const WATCH = "/functions/v1/watch-folders";
const TOKENS = "/functions/v1/tokens";
const JOBS = "/functions/v1/jobs";

/** The scope that each request needs: null for any token, "session" for none. */
const NEEDED: [request: string, need: TokenScope | null | "session", body?: object][] = [
  ["GET /openapi.json", null],
  ["POST /uploads", "library"],
  ...["GET", "POST", "OPTIONS"].map((method): (typeof NEEDED)[number] => [`${method} /uploads/tus`, "library"]),
  ...["GET", "HEAD", "PATCH", "DELETE"].map((method): (typeof NEEDED)[number] => [
    `${method} /uploads/tus/:id`,
    "library",
  ]),
  ...[
    "list",
    "dashboard",
    "videos",
    "outputs",
    "events",
    "manifest",
    "feedback",
    "approved",
    "source",
    "links",
  ].flatMap((action): typeof NEEDED => [
    [`GET ${JOBS}?action=${action}`, "jobs:read"],
    [`POST ${JOBS}`, "jobs:read", { action }],
    [`POST ${JOBS}?action=${action}`, "jobs:read"],
  ]),
  ...[
    "create",
    "retry",
    "bump",
    "hold",
    "release",
    "approve",
    "stop",
    "change",
    "share",
    "retry-now",
    "delete",
    "another",
    "review",
  ].flatMap((action): typeof NEEDED => [
    [`POST ${JOBS}`, "jobs:write", { action }],
    [`POST ${JOBS}?action=${action}`, "jobs:write", { action: "list" }],
  ]),
  [`POST ${JOBS}`, "jobs:write"],
  [`GET ${JOBS}`, "jobs:read"],
  ["POST /functions/v1/vps-integration/cancel", "jobs:write"],
  ["POST /functions/v1/job-table", "jobs:write"],
  ["GET /functions/v1/deliveries", "jobs:read"],
  ["POST /functions/v1/deliveries", "jobs:read", { method: "GET" }],
  ["POST /functions/v1/deliveries?method=GET", "jobs:write", { destination_id: "x" }],
  ["POST /functions/v1/deliveries?action=", "jobs:write"],
  ["POST /functions/v1/preview", "jobs:write"],
  ["POST /functions/v1/preflight", "jobs:write"],
  ["POST /functions/v1/prefetch", "jobs:write"],
  ["POST /functions/v1/check-captions", "jobs:write"],
  ["POST /functions/v1/generate-captions", "jobs:write"],
  ["POST /functions/v1/analyze-video-captions", "jobs:write"],
  ["GET /functions/v1/caption-sets", "sets"],
  ["POST /functions/v1/caption-sets", "sets"],
  ["GET /functions/v1/audio-sets", "sets"],
  ["POST /functions/v1/audio-sets", "sets"],
  ["POST /functions/v1/library", "library"],
  ["POST /functions/v1/cloak-env-validator", "cloak"],
  ["POST /functions/v1/cloak-publisher", "cloak"],
  ["POST /functions/v1/cloak-state", "cloak"],
  ["GET /functions/v1/settings", "settings"],
  ["POST /functions/v1/settings", "settings"],
  ["POST /functions/v1/test-key", "settings"],
  ["POST /functions/v1/connections", "settings"],
  ["GET /functions/v1/webhooks", "settings"],
  ["POST /functions/v1/webhooks", "settings"],
  ["POST /functions/v1/destinations", "settings"],
  ["POST /functions/v1/embedded-pages", "settings"],
  ...["list", "files"].map((action): (typeof NEEDED)[number] => [`POST ${WATCH}`, "jobs:read", { action }]),
  [`POST ${WATCH}`, "jobs:write", { action: "create" }],
  [`POST ${WATCH}?action=run-again`, "jobs:write", { action: "list" }],
  [`POST ${WATCH}?action=list`, "jobs:read", { action: "create" }],
  ...["list", "read", "export"].map((action): (typeof NEEDED)[number] => [
    "POST /functions/v1/transcripts",
    "jobs:read",
    { action },
  ]),
  ["POST /functions/v1/transcripts?action=update", "jobs:write", { action: "list" }],
  ["POST /functions/v1/transcripts", "jobs:write", { action: "delete" }],
  ["GET /functions/v1/system", "admin"],
  ["POST /functions/v1/system", "admin"],
  ["GET /functions/v1/audit", "admin"],
  ["POST /functions/v1/sessions", "session"],
  [`GET ${TOKENS}`, "session"],
  [`POST ${TOKENS}`, "session"],
  ["POST /functions/v1/oauth", "session"],
  ["GET /auth/v1/user", "session"],
  ["PUT /auth/v1/user", "session"],
  ["POST /auth/v1/logout", "session"],
  ["POST /auth/v1/factors", "session"],
  ["GET /rest/v1/accounts", "session"],
  ["GET /rest/v1/api_tokens", "session"],
  ...["jobs", "job_videos", "job_outputs"].flatMap((table): typeof NEEDED => [
    [`GET /rest/v1/${table}`, "jobs:read"],
    [`HEAD /rest/v1/${table}`, "jobs:read"],
    [`POST /rest/v1/${table}`, "jobs:write"],
    [`PATCH /rest/v1/${table}?id=is.null`, "jobs:write"],
    [`DELETE /rest/v1/${table}?id=is.null`, "jobs:write"],
  ]),
  ...["caption_sets", "audio_sets", "presets", "brand_kits", "domains", "routes"].flatMap((table): typeof NEEDED =>
    ["GET", "POST", "PATCH", "DELETE"].map((method): (typeof NEEDED)[number] => [
      `${method} /rest/v1/${table}?id=is.null`,
      table === "domains" || table === "routes" ? "cloak" : "sets",
    ]),
  ),
  ["GET /rest/v1/preset_versions", "sets"],
];

function inDays(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}

const folder = (name: string, more: object) => ({
  action: "create",
  name,
  kind: "local",
  place: "scopes",
  ...more,
});

describe("API tokens", () => {
  let server: TestServer;
  let session: string;

  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
    session = (await server.client.auth.getSession()).data.session!.access_token;
  });
  afterAll(() => server.close());

  async function call(bearer: string, request: string, body: object = {}) {
    const [method, path] = request.split(" ") as [string, string];
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${bearer}` },
      ...(method !== "GET" && method !== "HEAD" && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown> };
  }

  async function create(request: object): Promise<{ data: ApiToken; token: string }> {
    const { status, body } = await call(session, `POST ${TOKENS}`, {
      name: "Nightly",
      scopes: ["jobs:read"],
      ...request,
    });
    expect([status, body]).toEqual([200, body]);
    return body as { data: ApiToken; token: string };
  }

  const list = async () => (await call(session, `GET ${TOKENS}`)).body.data as ApiToken[];

  it("show their secret once, and store only its hash", async () => {
    const { data, token } = await create({ name: "  Nightly  ", scopes: ["sets", "sets", "jobs:read"] });
    expect(token).toMatch(/^clm_[\w-]{43}$/);
    const expected = { name: "Nightly", scopes: ["sets", "jobs:read"], last4: token.slice(-4), last_used_at: null };
    expect(data).toMatchObject({ ...expected, expires_at: null });
    expect(await list()).toContainEqual(data);
    const stored = JSON.stringify(await server.context.db.selectFrom("api_tokens").selectAll().execute());
    expect(stored).not.toContain(token.slice(4));
    expect((await call(token, `GET ${JOBS}?action=list`)).status).toBe(200);
    expect((await list()).find(({ id }) => id === data.id)?.last_used_at).toMatch(/^20/);
  });

  it.each([
    [{ name: " " }, "Enter a name for the token."],
    [{ name: "x".repeat(101) }, "The name can have at most 100 characters."],
    [{ scopes: [] }, "Select at least one permission."],
    [{ scopes: ["everything"] }, expect.stringMatching(/^scopes\.0: /)],
    [{ expires_at: "tomorrow" }, expect.stringMatching(/^expires_at: /)],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "Choose a time in the future for the token to expire."],
    [{ name: "a\u0000b" }, "name: Remove character 2 (U+0000, NUL). It cannot be stored."],
    [{ revoke: true }, "The token ID is missing or not valid."],
  ])("reject %j", async (wrong, error) => {
    const response = await call(session, `POST ${TOKENS}`, { name: "A", scopes: ["sets"], ...wrong });
    expect(response).toMatchObject({
      status: 400,
      body: { error },
    });
  });

  it("are in the matrix of permissions with every route", async () => {
    const { app, close } = await openTestApp(server);
    await close();
    const known = new Set(NEEDED.map(([request]) => request.replace(/\?.*/, "")));
    const missing = app.routes
      .filter(({ method, path }) => method !== "ALL" && /^\/(functions|uploads|openapi)/.test(path))
      .filter(({ method, path }) => !known.has(`${method} ${path.replace(/\/$/, "")}`));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it("may do what their permissions say, and nothing else", async () => {
    const tokens = new Map<string, string>();
    for (const scope of TOKEN_SCOPES) tokens.set(scope, (await create({ scopes: [scope] })).token);
    const wrong: unknown[] = [];
    for (const [request, need, body] of NEEDED) {
      for (const [scope, token] of tokens) {
        const { status, body: received } = await call(token, request, body);
        // Some tables are read-only for everyone.
        const isRejected =
          status === 403 && (request.startsWith("HEAD") || JSON.stringify(received).includes("API token"));
        const isAllowed = need === null || need === scope;
        if (isRejected === isAllowed || status === 401) wrong.push([request, body, scope, status]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    [JOBS, { link_domain_id: crypto.randomUUID() }],
    [JOBS, { manifest: { request: { link_target: "https://a.test" } } }],
    [JOBS, { action: "change", settings: { link_target: "https://a.test" } }],
    [JOBS, { action: "make-links" }],
    [JOBS, { action: "delete", delete_links: true }],
    ["/functions/v1/job-table", { settings: { link_domain_id: crypto.randomUUID() } }],
    // A query that these calls ignore must not hide the body.
    [`${JOBS}?manifest=x`, { manifest: { request: { link_target: "https://a.test" } } }],
    ["/functions/v1/job-table?settings=x", { settings: { link_domain_id: crypto.randomUUID() } }],
  ])("may make and delete links with both permissions only: %s %j", async (path, body) => {
    const responses = [];
    for (const scopes of [["jobs:write"], ["cloak"], ["jobs:write", "cloak"]]) {
      const { status } = await call((await create({ scopes })).token, `POST ${path}`, body);
      responses.push(status === 403);
    }
    expect(responses).toEqual([true, true, false]);
    const plain = await call((await create({ scopes: ["jobs:write"] })).token, `POST ${path}`, {
      link_domain_id: null,
      settings: { link_target: null },
    });
    expect(plain.status).toBe(400);
  });

  it("may save presets that make links or deliver only with the permission to do so", async () => {
    const links = { link_domain_id: crypto.randomUUID(), link_target: "https://a.test" };
    const delivery = { destinations: [crypto.randomUUID()] };
    const sets = (await create({ scopes: ["sets"] })).token;
    const { body } = await call(session, "POST /rest/v1/presets", { name: "Plain", settings: { destinations: [] } });
    expect(body).toEqual({});
    const save = async (scopes: TokenScope[], settings: object, request = "PATCH /rest/v1/presets?name=eq.Plain") =>
      (await call((await create({ scopes })).token, request, { name: "Plain", settings })).status;
    expect(await save(["sets"], { link_target: null, destinations: [] })).toBe(204);
    expect(await save(["sets"], links)).toBe(403);
    expect(await save(["sets"], links, "POST /rest/v1/presets?columns=name")).toBe(403);
    expect(await save(["sets", "jobs:write"], links)).toBe(403);
    expect(await save(["sets", "cloak"], links)).toBe(204);
    expect(await save(["sets"], delivery)).toBe(403);
    expect(await save(["sets", "cloak"], { ...delivery, ...links })).toBe(403);
    expect(await save(["sets", "jobs:write"], delivery)).toBe(204);
    const several = await fetch(`${server.url}/rest/v1/presets`, {
      method: "POST",
      headers: { authorization: `Bearer ${sets}` },
      body: JSON.stringify([
        { name: "A", settings: {} },
        { name: "B", settings: links },
      ]),
    });
    expect(several.status).toBe(403);
    expect((await call(sets, "DELETE /rest/v1/presets?name=eq.Plain")).status).toBe(204);
  });

  it("may not let watch folders or changed jobs make links, or read connections, with jobs:write alone", async () => {
    const { data: domain } = await server.client
      .from("domains")
      .insert({ name: `links-${crypto.randomUUID()}.test` })
      .select("id")
      .single<{ id: string }>();
    await server.context.db.updateTable("domains").set({ status: "active" }).where("id", "=", domain!.id).execute();
    const links = { link_domain_id: domain!.id, link_target: "https://a.test/{row.sku}" };
    const preset = async (settings: object) => {
      const name = `Preset ${crypto.randomUUID()}`;
      const { data } = await server.client
        .from("presets")
        .insert({ name, settings })
        .select("id")
        .single<{ id: string }>();
      return data!.id;
    };
    const [linking, plain] = [await preset(links), await preset({})];
    const writer = (await create({ scopes: ["jobs:write"] })).token;
    const both = (await create({ scopes: ["jobs:write", "cloak"] })).token;

    const rejected = { status: 403, body: { error: "This API token needs the scope cloak." } };
    expect(await call(writer, `POST ${WATCH}`, folder("Mine", { preset_id: linking }))).toMatchObject(rejected);
    const mine = await call(writer, `POST ${WATCH}`, folder("Mine", { preset_id: plain }));
    expect(mine.status).toBe(200);
    const { id } = mine.body.data as { id: string };
    const change = { action: "update", id, name: "Mine", version: 1, preset_id: linking };
    expect(await call(writer, `POST ${WATCH}`, change)).toMatchObject(rejected);
    expect((await call(both, `POST ${WATCH}`, change)).status).toBe(200);
    expect((await call(writer, `POST ${WATCH}`, { action: "pause", id })).status).toBe(200);
    expect(await call(writer, `POST ${WATCH}`, { action: "resume", id })).toMatchObject(rejected);
    expect((await call(both, `POST ${WATCH}`, { action: "resume", id })).status).toBe(200);
    // A check that began before would remove the row of a file that is not in the folder.
    const isChecked = sql<boolean>`next_check_at > now() and next_check_at < '9999-01-01T00:00:00Z'`.as("isChecked");
    const row = server.context.db.selectFrom("watch_folders").select(isChecked).where("id", "=", id);
    await expect.poll(() => row.executeTakeFirst()).toEqual({ isChecked: true });
    const file = await server.context.db
      .insertInto("watch_files")
      .values({ folder_id: id, path: "a.mp4", name: "a.mp4", revision: "1", state: "skipped" })
      .returning("id")
      .executeTakeFirstOrThrow();
    expect(await call(writer, `POST ${WATCH}`, { action: "run-again", file_id: file.id })).toMatchObject(rejected);
    expect((await call(both, `POST ${WATCH}`, { action: "delete", id })).status).toBe(200);

    const connected = folder("Theirs", { preset_id: plain, connection_id: crypto.randomUUID(), kind: "sftp" });
    expect(await call(writer, `POST ${WATCH}`, connected)).toMatchObject({
      status: 403,
      body: { error: "This API token needs the scope settings." },
    });

    const rows = [{ link: "https://drive.google.com/file/d/a1/view", pass: { sku: "1" } }];
    const request = { job_name: "Links", rows, proof_count: 1, ...links };
    const made = await call(both, `POST ${JOBS}`, request);
    expect([made.status, made.body]).toEqual([200, made.body]);
    const jobId = (made.body.data as { id: string }).id;
    const other = { action: "change", jobId, settings: { rows: [{ ...rows[0], pass: { sku: "../evil" } }] } };
    expect(await call(writer, `POST ${JOBS}`, other)).toMatchObject(rejected);
  });

  it("require the password or an emailed code in an old session, and a session in any case", async () => {
    const request = { name: "Stolen", scopes: ["jobs:read"] };
    const before = await list();
    const { token: other } = await create({ scopes: [...TOKEN_SCOPES] });
    await sql`update sessions set created_at = now() - interval '1 day'`.execute(server.context.db);
    const attempt = (proof: object) => call(session, `POST ${TOKENS}`, { ...request, ...proof });
    expect(await attempt({})).toMatchObject({ status: 403, body: { code: "reauthentication_needed", status: 403 } });
    const wrong = { error: "The current password is incorrect.", code: "invalid" };
    expect(await attempt({ current_password: "wrong" })).toMatchObject({ status: 400, body: wrong });
    expect(await attempt({ current_password: "" })).toMatchObject({ status: 400, body: wrong });
    expect(await attempt({ nonce: "123456" })).toMatchObject({ status: 400, body: { code: "invalid" } });
    const proof = { current_password: TEST_ACCOUNT.password };
    expect((await call(other, `POST ${TOKENS}`, { ...request, ...proof })).status).toBe(403);
    expect(await list()).toHaveLength(before.length + 1);
    expect((await attempt(proof)).status).toBe(200);
    await sql`update sessions set created_at = now()`.execute(server.context.db);
  });

  it("are rejected everywhere as soon as they expire or are revoked", async () => {
    const apps: { app: Hono<ServerEnv>; close: () => Promise<void> }[] = [];
    for (let count = 0; count < 3; count += 1) apps.push(await openTestApp(server));
    const statuses = async (token: string) =>
      Promise.all(
        apps.map(async ({ app }) => {
          const headers = { authorization: `Bearer ${token}` };
          return (await app.request(`${JOBS}?action=list`, { headers })).status;
        }),
      );
    try {
      const { data, token } = await create({});
      expect(await statuses(token)).toEqual([200, 200, 200]);
      await call(session, `POST ${TOKENS}`, { id: data.id, revoke: true });
      expect(await statuses(token)).toMatchObject([401, 401, 401]);
      expect((await call(token, `GET ${JOBS}?action=list`)).body).toMatchObject({
        error: "This API token is not valid or was revoked.",
      });
      const later = await create({ expires_at: new Date(Date.now() + 60_000).toISOString() });
      expect(await statuses(later.token)).toEqual([200, 200, 200]);
      const past = sql<string>`now() - interval '1 second'`;
      await server.context.db
        .updateTable("api_tokens")
        .set({ expires_at: past })
        .where("id", "=", later.data.id)
        .execute();
      expect(await statuses(later.token)).toEqual([401, 401, 401]);
    } finally {
      for (const { close } of apps) await close();
    }
  });

  it("of another account are neither listed nor revoked", async () => {
    const { data, token } = await create({});
    await sql`insert into accounts (email, password_hash) values ('other@clips.test', 'x')`.execute(server.context.db);
    const other = await server.context.db
      .selectFrom("accounts")
      .select("id")
      .where("email", "=", "other@clips.test")
      .executeTakeFirstOrThrow();
    await server.context.db.updateTable("api_tokens").set({ account_id: other.id }).where("id", "=", data.id).execute();
    expect((await list()).map(({ id }) => id)).not.toContain(data.id);
    await call(session, `POST ${TOKENS}`, { id: data.id, revoke: true });
    expect((await call(token, `GET ${JOBS}?action=list`)).status).toBe(200);
    await sql`update accounts set disabled_at = now() where id = ${other.id}`.execute(server.context.db);
    expect((await call(token, `GET ${JOBS}?action=list`)).status).toBe(401);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["they are revoked", (id) => call(session, `POST ${TOKENS}`, { id, revoke: true })],
    [
      "their account is disabled",
      async (id) => {
        const owner = { email: "owner@clips.test", password: "correct horse battery" };
        const { id: accountId } = await createAccount(server.context, owner);
        await server.context.db.updateTable("api_tokens").set({ account_id: accountId }).where("id", "=", id).execute();
        await disableAccount(server.context, owner.email);
      },
    ],
  ])("receive live changes with jobs:read, until %s", async (_, end) => {
    const { data, token } = await create({ scopes: ["jobs:read"] });
    const client = createClient(server.url, "any key", { accessToken: async () => token });
    const states: string[] = [];
    const ids: string[] = [];
    client
      .channel("by token")
      .on<{ id: string }>(
        "postgres_changes",
        { event: "INSERT", schema: "public", table: "jobs" },
        ({ new: row }) => void ids.push(row.id),
      )
      .subscribe((state) => void states.push(state));
    await expect.poll(() => states).toContain("SUBSCRIBED");
    const job = await server.create();
    await expect.poll(() => ids).toEqual([job.id]);
    await end(data.id);
    await expect.poll(() => states).toContain("CLOSED");
    await client.removeAllChannels();
  });

  it("receive no live changes without jobs:read", async () => {
    const { token: sets } = await create({ scopes: ["sets"] });
    const rejected = createClient(server.url, "any key", { accessToken: async () => sets });
    const rejections: string[] = [];
    rejected
      .channel("by another")
      .on("postgres_changes", { event: "*", schema: "public", table: "jobs" }, () => {})
      .subscribe((state) => void rejections.push(state));
    await expect.poll(() => rejections).toContain("CHANNEL_ERROR");
    await rejected.removeAllChannels();
  });

  it("are deleted a month after they expired", async () => {
    const { data } = await create({ expires_at: new Date(Date.now() + 60_000).toISOString() });
    await deleteExpiredTokens(server.context, inDays(29));
    expect((await list()).map(({ id }) => id)).toContain(data.id);
    await deleteExpiredTokens(server.context, inDays(31));
    expect((await list()).map(({ id }) => id)).not.toContain(data.id);
  });
});
