import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "#operations/accounts/create-account.ts";
import { claimKey, deleteOldResponses, keepResponse } from "#operations/idempotency/claim-key.ts";
import { WEBP } from "#tests/support/media/make-image.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { openTestApp, startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const SETS = "/functions/v1/caption-sets";
const JOBS = "/functions/v1/jobs";
const LINK = "https://drive.google.com/file/d/abc/view";
const idOf = (body: Record<string, unknown>) => (body["data"] as { id: string }).id;
const set = (name: string) => ({ name, captions: ["Hello"] });

describe("a request with an Idempotency-Key", () => {
  let server: TestServer;
  let session: string;

  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
    session = (await server.client.auth.getSession()).data.session!.access_token;
  });
  afterAll(() => server.close());

  async function post(path: string, key: string | null, body: object | Uint8Array<ArrayBuffer>, bearer = session) {
    const response = await fetch(server.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}`, ...(key !== null && { "idempotency-key": key }) },
      body: body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    const { status, headers } = response;
    const replayed = headers.get("idempotency-replayed");
    return { status, replayed, body: (await response.json()) as Record<string, unknown> };
  }

  const setsNamed = async (name: string) =>
    (await server.context.db.selectFrom("caption_sets").select("id").where("name", "=", name).execute()).length;
  const rowOf = (key: string) =>
    server.context.db.selectFrom("idempotent_requests").selectAll().where("idempotency_key", "=", key);

  it("is done once, and gets the same response again", async () => {
    const first = await post(SETS, "once", set("Once"));
    expect(first).toMatchObject({ status: 200, replayed: null });
    const second = await post(SETS, "once", set("Once"));
    expect(second).toEqual({ ...first, replayed: "true" });
    expect(await setsNamed("Once")).toBe(1);
    // The key's account is the caller's, and the request is more than the body.
    expect(await post("/functions/v1/jobs?action=bump", "once", set("Once"))).toMatchObject({
      status: 422,
      body: { code: "key_reused", error: "This Idempotency-Key was used for another request." },
    });
    expect((await post(SETS, "once", set("Other"))).status).toBe(422);
    expect(await setsNamed("Other")).toBe(0);
  });

  it("belongs to the account", async () => {
    const other = { email: "other@clipmill.local", password: "correct horse battery" };
    await createAccount(server.context, other);
    const client = server.newClient();
    const { data } = await client.auth.signInWithPassword(other);
    await post(SETS, "shared", set("Mine"));
    const theirs = await post(SETS, "shared", set("Theirs"), data.session!.access_token);
    expect(theirs).toMatchObject({ status: 200, replayed: null });
    const create = (key: string | null, bearer?: string) => {
      const job = { job_name: "One each", input_videos: [LINK], ...(key === null && { idempotency_key: "job" }) };
      return post(JOBS, key, job, bearer);
    };
    const mine = await create(null);
    const theirJob = await create(null, data.session!.access_token);
    expect(theirJob).toMatchObject({ status: 200, replayed: null });
    expect(theirJob.body).not.toMatchObject({ data: { id: idOf(mine.body) } });
    expect(await create("job")).toEqual({ ...mine, replayed: "true" });
  });

  it("is rejected if another call used the key, also to create a job", async () => {
    const reused = { status: 422, body: { code: "key_reused" } };
    const job = (name: string) => ({ job_name: name, input_videos: [LINK] });
    await post(SETS, "of a set", set("A set"));
    expect(await post(JOBS, "of a set", job("A job"))).toMatchObject(reused);
    await post(JOBS, "of a job", job("A job"));
    expect(await post(SETS, "of a job", set("A set"))).toMatchObject(reused);
    expect(await post(JOBS, "of a job", job("Another job"))).toMatchObject(reused);
    const table = { csv: `link\n${LINK}`, settings: { job_name: "A table" }, idempotency_key: "of a job" };
    expect(await post("/functions/v1/job-table", null, table)).toMatchObject(reused);
  });

  it("returns a job as long as the job exists", async () => {
    const { db } = server.context;
    const job = { job_name: "Kept", input_videos: [LINK] };
    const create = async () => idOf((await post(JOBS, "kept", job)).body);
    const first = await create();
    const aged = db.updateTable("idempotent_requests").set({ created_at: sql`now() - interval '90 days'` });
    await aged.where("idempotency_key", "=", "kept").execute();
    await deleteOldResponses({ db }, new Date());
    expect(await create()).toBe(first);
    await db.deleteFrom("jobs").where("id", "=", first).execute();
    expect(await create()).not.toBe(first);
  });

  it("can be sent again after an error, corrected", async () => {
    expect((await post(SETS, "fixed", { name: "Fixed" })).status).toBe(400);
    expect((await post(SETS, "fixed", set("Fixed"))).status).toBe(200);
    expect((await post(SETS, "x".repeat(201), set("Fixed"))).status).toBe(400);
  });

  it("can be sent again after a failure with status 200", async () => {
    const job = await server.create();
    const cancel = (key: string) => post("/functions/v1/vps-integration/cancel", key, { jobId: job.id });
    const setStatus = (status: "Completed" | "Queued") => server.context.db.updateTable("jobs").set({ status });
    await setStatus("Completed").where("id", "=", job.id).execute();
    expect(await cancel("stop")).toMatchObject({ status: 200, body: { success: false } });
    await setStatus("Queued").where("id", "=", job.id).execute();
    expect(await cancel("stop")).toEqual({ status: 200, replayed: null, body: { success: true } });
    expect(await cancel("stop")).toEqual({ status: 200, replayed: "true", body: { success: true } });
  });

  it("is rejected while it runs, and runs again after its server was killed", async () => {
    await post(SETS, "killed", set("Killed"));
    const first = await rowOf("killed").executeTakeFirstOrThrow();
    await server.context.db.deleteFrom("caption_sets").where("name", "=", "Killed").execute();
    const running = server.context.db.updateTable("idempotent_requests").where("idempotency_key", "=", "killed");
    await running.set({ answer: null, touched_at: sql`now()` }).execute();
    expect(await post(SETS, "killed", set("Killed"))).toMatchObject({ status: 409, body: { code: "in_progress" } });
    expect(await setsNamed("Killed")).toBe(0);
    await running.set({ touched_at: sql`now() - interval '21 seconds'` }).execute();
    expect((await post(SETS, "killed", set("Killed"))).status).toBe(200);
    expect(await setsNamed("Killed")).toBe(1);
    // The first attempt was only slow: its change is rolled back, because its key has another attempt now.
    const slow = { accountId: first.account_id, key: "killed", digest: first.digest, id: first.attempt };
    const late = server.context.db.transaction().execute(async (trx) => {
      await trx.insertInto("caption_sets").values(set("Killed")).execute();
      await keepResponse(trx, slow, "{}");
    });
    await expect(late).rejects.toThrow("took over");
    expect(await setsNamed("Killed")).toBe(1);
  });

  it("is done once when three servers get it at the same time", async () => {
    const apps = await Promise.all([openTestApp(server), openTestApp(server), openTestApp(server)]);
    const request = {
      method: "POST",
      headers: { authorization: `Bearer ${await tokenFor("sets")}`, "idempotency-key": "three" },
      body: JSON.stringify(set("Three")),
    };
    const responses = await Promise.all(
      [...apps, ...apps, ...apps].map(async ({ app }) => (await app.request(SETS, request)).status),
    );
    expect(responses).toContain(200);
    expect(responses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(await setsNamed("Three")).toBe(1);
    for (const { close } of apps) await close();
  });

  async function tokenFor(scope: string): Promise<string> {
    const { body } = await post("/functions/v1/tokens", randomUUID(), { name: "Test", scopes: [scope] });
    return body["token"] as string;
  }

  it("stores no secrets: tokens and guest links are made anew each time", async () => {
    const request = { name: "Twice", scopes: ["sets"] };
    const tokens = [
      await post("/functions/v1/tokens", "secret", request),
      await post("/functions/v1/tokens", "secret", request),
    ];
    expect(new Set(tokens.map(({ body }) => body["token"])).size).toBe(2);
    expect(await rowOf("secret").execute()).toEqual([]);
    const kept = await server.context.db.selectFrom("idempotent_requests").select("answer").execute();
    expect(JSON.stringify(kept)).not.toContain("clm_");
  });

  it("needs the scope, also for the response that is kept", async () => {
    await post(SETS, "scoped", set("Scoped"));
    const rejected = await post(SETS, "scoped", set("Scoped"), await tokenFor("library"));
    expect(rejected).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it("keeps a job and an upload to one", async () => {
    const job = { job_name: "One", input_videos: [LINK] };
    const [first, second] = [await post(JOBS, "one job", job), await post(JOBS, "one job", job)];
    expect(second).toEqual({ ...first, replayed: "true" });
    const uploaded = await post("/uploads?name=a.webp&use=image", "upload", WEBP);
    expect(uploaded.status).toBe(200);
    expect(await post("/uploads?name=a.webp&use=image", "upload", WEBP)).toEqual({ ...uploaded, replayed: "true" });
    expect((await post("/uploads?name=b.webp&use=image", "upload", WEBP)).status).toBe(422);
  });

  it("is forgotten after a day", async () => {
    const { db } = server.context;
    await post(SETS, "old", set("Old"));
    const row = await rowOf("old").executeTakeFirstOrThrow();
    await deleteOldResponses({ db }, new Date(Date.now() + 23 * 3_600_000));
    expect(await rowOf("old").execute()).toHaveLength(1);
    const aged = db.updateTable("idempotent_requests").set({ created_at: sql`now() - interval '25 hours'` });
    await aged.where("idempotency_key", "=", "old").execute();
    const request = { accountId: row.account_id, key: "old", digest: "another" };
    expect(await claimKey(db, request)).toMatchObject({ attempt: request });
    await deleteOldResponses({ db }, new Date(Date.now() + 25 * 3_600_000));
    expect(await rowOf("old").execute()).toEqual([]);
  });
});
