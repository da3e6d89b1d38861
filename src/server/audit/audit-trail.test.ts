import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditEntry, AuditResponse } from "#contract/calls.ts";
import { REDIRECTOR_PATHS } from "#contract/cloak/published-config.ts";
import { WORKER_PATH } from "#contract/workers/worker-protocol.ts";
import { deleteOldAuditEntries } from "#operations/retention/delete-old-rows.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { readJob } from "#operations/jobs/read/read-job.ts";
import { registerWorker } from "#operations/fleet/register-worker.ts";
import { saveServiceKey } from "#operations/settings/service-key.ts";
import { openAuthenticator } from "#tests/support/browser/authenticator.ts";
import { type MailServer, startMailServer } from "#tests/support/twins/mail-server.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import { addTranscript } from "#tests/support/jobs/add-transcript.ts";
import { startLinkedJob } from "#tests/support/jobs/linked-job.ts";
import { startTestRedirector, TOKEN } from "#tests/support/twins/redirector.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { FUNCTIONS } from "../functions/functions.ts";
import { openTestApp, startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";
import { createTusSender } from "#tests/support/servers/tus-requests.ts";

const LINK = "https://drive.google.com/file/d/abc/view";
const PUBLIC_URL = "https://clips.test";
const folder = await makeScratchFolder();

let inbox: MailServer;
let openAi: OpenAiTwin;
let redirector: Awaited<ReturnType<typeof startTestRedirector>>;
let server: TestServer;
let token: string;

beforeAll(async () => {
  inbox = await startMailServer();
  openAi = await startOpenAiTwin();
  redirector = await startTestRedirector(folder);
  const url = `http://127.0.0.1:${redirector.port}${REDIRECTOR_PATHS.publish}`;
  server = await startTestServer(undefined, {
    publicUrl: PUBLIC_URL,
    mailer: inbox.mailer,
    allowSignup: true,
    openAiUrl: openAi.url,
    privateWebhooks: ["127.0.0.1:9"],
    redirector: { syncUrl: url, token: TOKEN, builtInUrl: url },
  });
  await saveServiceKey(server.context, "openai_key", TWIN_KEY);
  token = (await server.client.auth.getSession()).data.session!.access_token;
});
afterAll(async () => {
  await server.close();
  await redirector.close();
  await openAi.close();
  await inbox.close();
});

type Body = Record<string, unknown> & { data?: { id: string } };

async function call(method: string, address: string, body: BodyInit | object = {}): Promise<Body> {
  const isRaw = body instanceof Buffer;
  const response = await fetch(server.url + address, {
    method,
    headers: { authorization: `Bearer ${token}`, prefer: "return=representation" },
    ...(method !== "GET" && { body: isRaw ? new Uint8Array(body) : JSON.stringify(body) }),
    redirect: "manual",
  });
  const text = await response.text();
  expect([address, response.status < 400, text]).toEqual([address, true, text]);
  return text.startsWith("{") || text.startsWith("[") ? (JSON.parse(text) as Body) : {};
}

/** Oldest first. */
async function lastNames(count: number): Promise<(string | null)[]> {
  return (await readTrail(count)).toReversed().map((entry) => entry.subject_name);
}

async function readTrail(limit = 100): Promise<AuditEntry[]> {
  return ((await call("GET", `/functions/v1/audit?limit=${limit}`)) as unknown as AuditResponse).data;
}

type Acts = [action: string, subject: string | null][];

async function trailOf(act: () => Promise<unknown>): Promise<Acts> {
  return (await responseAndTrailOf(act))[1];
}

async function responseAndTrailOf<Result>(act: () => Promise<Result>): Promise<[Result, Acts]> {
  const before = (await readTrail(1))[0]?.id ?? 0;
  const result = await act();
  const entries = (await readTrail()).filter((entry) => entry.id > before).toReversed();
  expect(entries.every((entry) => entry.email === TEST_ACCOUNT.email && entry.account_id !== null)).toBe(true);
  return [result, entries.map((entry) => [entry.action, entry.subject])];
}

async function mailedLink(): Promise<URL> {
  await expect.poll(() => inbox.mails.length).toBeGreaterThan(0);
  return new URL(/https:\/\/\S+/.exec(inbox.mails.shift()!.text)![0]);
}

/** Returns the file's id. */
async function addReviewable(jobId: string): Promise<string> {
  const { db } = server.context;
  const video = await db.selectFrom("job_videos").select("id").where("job_id", "=", jobId).executeTakeFirstOrThrow();
  const place = {
    job_id: jobId,
    video_id: video.id,
    variant: 0,
    segment: 0,
    name: "a.mp4",
    status: "Completed",
  } as const;
  const row = db
    .insertInto("job_outputs")
    .values({ ...place, storage_key: "a.mp4" })
    .returning("id");
  return (await row.executeTakeFirstOrThrow()).id;
}

function connect(order: object): Promise<[Body, Acts]> {
  return responseAndTrailOf(() => call("POST", `${functions}/connections`, order));
}

function askWebhooks(body: object): Promise<[Body, Acts]> {
  return responseAndTrailOf(() => call("POST", `${functions}/webhooks`, body));
}

function send(name: "deliveries" | "destinations", order: object): Promise<[Body, Acts]> {
  return responseAndTrailOf(() => call("POST", `${functions}/${name}`, order));
}

function failToSignIn(email: string): Promise<Response> {
  const body = JSON.stringify({ email, password: "not the password" });
  return fetch(`${server.url}/auth/v1/token?grant_type=password`, { method: "POST", body });
}

const functions = "/functions/v1";
const changeLibrary = (body: object) => trailOf(() => call("POST", `${functions}/library`, body));
const password = { ...TEST_ACCOUNT };

/** Calls each route that changes something and checks its entries. */
const SCENES: Record<string, () => Promise<void>> = {
  "POST /auth/v1/token": async () => {
    expect(await trailOf(() => call("POST", "/auth/v1/token?grant_type=password", password))).toEqual([
      ["account.sign-in", null],
    ]);
  },
  "POST /auth/v1/signup": async () => {
    // The new person is not the operator, and only waits for a mail.
    expect(
      await trailOf(() => call("POST", "/auth/v1/signup", { email: "new@clips.test", password: "a password of it" })),
    ).toEqual([]);
    await mailedLink();
  },
  "POST /auth/v1/verify": async () => {
    await call("POST", "/auth/v1/otp", { email: TEST_ACCOUNT.email });
    const link = await mailedLink();
    const proof = { type: link.searchParams.get("type"), token_hash: link.searchParams.get("token") };
    expect(await trailOf(() => call("POST", "/auth/v1/verify", proof))).toEqual([["account.sign-in", null]]);
  },
  "GET /auth/v1/verify": async () => {
    await call("POST", "/auth/v1/recover", { email: TEST_ACCOUNT.email });
    const link = await mailedLink();
    expect(await trailOf(() => call("GET", link.pathname + link.search))).toEqual([["account.sign-in", null]]);
    // The used link redirects too, but signs nobody in.
    expect(await trailOf(() => call("GET", link.pathname + link.search))).toEqual([]);
  },
  "PUT /auth/v1/user": async () => {
    expect(await trailOf(() => call("PUT", "/auth/v1/user", { data: { theme: "dark" } }))).toEqual([
      ["account.change", null],
    ]);
  },
  "POST /auth/v1/factors": async () => {
    const [{ id }, trail] = await responseAndTrailOf(() =>
      call("POST", "/auth/v1/factors", { factor_type: "totp", friendly_name: "one" }),
    );
    expect(trail).toEqual([["second-step.add", id]]);
    expect(await trailOf(() => call("DELETE", `/auth/v1/factors/${String(id)}`))).toEqual([["second-step.remove", id]]);
  },
  "DELETE /auth/v1/factors/:id": () => SCENES["POST /auth/v1/factors"]!(),
  "POST /rest/v1/:table": async () => {
    const [rows, trail] = await responseAndTrailOf(() =>
      call("POST", "/rest/v1/caption_sets", [
        { name: "One", captions: ["a"] },
        { name: "Two", captions: ["b"] },
      ]),
    );
    const ids = (rows as unknown as { id: string }[]).map((row) => row.id);
    expect(trail).toEqual(ids.map((id) => ["caption_sets.add", id]));
    const address = `/rest/v1/caption_sets?id=eq.${ids[0]}`;
    expect(await trailOf(() => call("PATCH", address, { name: "Three" }))).toEqual([["caption_sets.change", ids[0]]]);
    expect(await trailOf(() => call("DELETE", address))).toEqual([["caption_sets.delete", ids[0]]]);
    expect(await trailOf(() => call("DELETE", address))).toEqual([]);
    // Each entry has the name from the time of its change.
    expect(await lastNames(4)).toEqual(["One", "Two", "Three", "Three"]);
  },
  "PATCH /rest/v1/:table": () => SCENES["POST /rest/v1/:table"]!(),
  "DELETE /rest/v1/:table": () => SCENES["POST /rest/v1/:table"]!(),
  "POST /functions/v1/jobs": async () => {
    const [{ data }, trail] = await responseAndTrailOf(() =>
      call("POST", `${functions}/jobs`, { job_name: "A job", input_videos: [LINK] }),
    );
    const { id } = data!;
    expect(trail).toEqual([["job.create", id]]);
    for (const action of ["hold", "release", "bump"]) {
      expect(await trailOf(() => call("POST", `${functions}/jobs`, { action, jobId: id }))).toEqual([
        [`job.${action}`, id],
      ]);
    }
    expect(await trailOf(() => call("POST", `${functions}/vps-integration/cancel`, { jobId: id }))).toEqual([
      ["job.cancel", id],
    ]);
    expect(await trailOf(() => call("POST", `${functions}/vps-integration/cancel`, { jobId: id }))).toEqual([]);
    for (const action of ["list", "dashboard", "videos", "outputs", "events", "approved"]) {
      expect(await trailOf(() => call("POST", `${functions}/jobs`, { action, jobId: id }))).toEqual([]);
    }
    await server.context.db.updateTable("job_videos").set({ status: "Failed" }).where("job_id", "=", id).execute();
    await server.context.db.updateTable("jobs").set({ status: "Failed" }).where("id", "=", id).execute();
    expect(await trailOf(() => call("POST", `${functions}/jobs?action=retry`, { jobId: id }))).toEqual([
      ["job.retry", id],
    ]);
    await server.context.db.updateTable("job_videos").set({ status: "Failed" }).where("job_id", "=", id).execute();
    await sql`update pgboss.job set state = 'failed'`.execute(server.context.db);
    expect(await trailOf(() => call("POST", `${functions}/jobs`, { action: "retry-now", jobId: id }))).toEqual([
      ["job.retry-now", id],
    ]);
    expect(await trailOf(() => call("POST", `${functions}/jobs`, { action: "delete", jobIds: [id] }))).toEqual([]);
    await call("POST", `${functions}/vps-integration/cancel`, { jobId: id });
    const outputId = await addReviewable(id);
    const review = { action: "review", reviews: [{ outputId, verdict: "rejected", reason: "Too dark" }] };
    expect(await trailOf(() => call("POST", `${functions}/jobs`, review))).toEqual([["job.review", id]]);
    // One review is one entry, however many verdicts it has.
    expect(await trailOf(() => call("POST", `${functions}/jobs`, { ...review, verdict: null }))).toEqual([]);
    expect(await trailOf(() => call("POST", `${functions}/jobs`, { action: "delete", jobIds: [id] }))).toEqual([
      ["job.delete", id],
    ]);
    expect(await lastNames(3)).toEqual(["A job", "A job", "A job"]);
    const linked = await startLinkedJob(server.context, { videos: 1, variants: 1 });
    const { jobId } = linked;
    await linked.end();
    await server.context.db.deleteFrom("routes").where("output_id", "is not", null).execute();
    const makeLinks = () => call("POST", `${functions}/jobs`, { action: "make-links", jobId });
    expect(await trailOf(makeLinks)).toEqual([["job.make-links", jobId]]);
    expect(await trailOf(makeLinks)).toEqual([]);
    const deletion = { action: "delete", jobIds: [jobId], delete_links: true };
    expect(await trailOf(() => call("POST", `${functions}/jobs`, deletion))).toEqual([
      ["job.delete-links", jobId],
      ["job.delete", jobId],
    ]);
  },
  "POST /functions/v1/tokens": async () => {
    const [{ data }, trail] = await responseAndTrailOf(() =>
      call("POST", `${functions}/tokens`, { name: "Nightly", scopes: ["jobs:read"] }),
    );
    expect(trail).toEqual([["token.create", data!.id]]);
    expect(await trailOf(() => call("POST", `${functions}/tokens`, { id: data!.id, revoke: true }))).toEqual([
      ["token.revoke", data!.id],
    ]);
    expect(await lastNames(2)).toEqual(["Nightly", "Nightly"]);
  },
  "POST /functions/v1/oauth": async () => {
    const redirectUri = "https://assistant.test/callback";
    const metadata = { client_name: "An assistant", redirect_uris: [redirectUri] };
    const { client_id: clientId } = await call("POST", "/oauth/register", metadata);
    const shared = { client_id: String(clientId), redirect_uri: redirectUri };
    const verifier = "v".repeat(43);
    const request = {
      ...{ action: "allow", ...shared, response_type: "code", code_challenge_method: "S256" },
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    };
    // Nothing has access before the exchange.
    const [allowed, none] = await responseAndTrailOf(() =>
      call("POST", `${functions}/oauth`, { ...request, scopes: ["sets"] }),
    );
    expect(none).toEqual([]);
    const code = new URL(String(allowed["redirect_url"])).searchParams.get("code")!;
    const form = { ...shared, grant_type: "authorization_code", code, code_verifier: verifier };
    const body = Buffer.from(new URLSearchParams(form).toString());
    expect(await trailOf(() => call("POST", "/oauth/token", body))).toEqual([["token.create", expect.any(String)]]);
    expect(await lastNames(1)).toEqual(["An assistant"]);
  },
  "POST /oauth/token": () => SCENES["POST /functions/v1/oauth"]!(),
  "POST /functions/v1/job-table": async () => {
    const table = { csv: `link\n${LINK}`, settings: { job_name: "A table" } };
    expect(await trailOf(() => call("POST", `${functions}/job-table`, { ...table, dry_run: true }))).toEqual([]);
    const [{ data }, trail] = await responseAndTrailOf(() => call("POST", `${functions}/job-table`, table));
    expect(trail).toEqual([["job.create", data!.id]]);
  },
  "POST /functions/v1/vps-integration/cancel": () => SCENES["POST /functions/v1/jobs"]!(),
  "POST /functions/v1/caption-sets": async () => {
    expect(await trailOf(() => call("POST", `${functions}/caption-sets`, { method: "GET" }))).toEqual([]);
    const set = { method: "POST", name: "S", captions: ["x"] };
    const [{ data }, trail] = await responseAndTrailOf(() => call("POST", `${functions}/caption-sets`, set));
    expect(trail).toEqual([["caption_sets.add", data!.id]]);
  },
  "POST /functions/v1/audio-sets": async () => {
    const set = { method: "POST", name: "S", audio_links: [LINK] };
    const [{ data }, trail] = await responseAndTrailOf(() => call("POST", `${functions}/audio-sets`, set));
    expect(trail).toEqual([["audio_sets.add", data!.id]]);
    expect(await lastNames(1)).toEqual(["S"]);
  },
  "POST /functions/v1/settings": async () => {
    expect(await trailOf(() => call("POST", `${functions}/settings`, { method: "GET" }))).toEqual([]);
    const secret = "AIza-a-key-that-nobody-may-read";
    const saved = await trailOf(() => call("POST", `${functions}/settings`, { google_drive_key: secret }));
    expect(saved).toEqual([["settings.save", "google_drive_key"]]);
    await call("POST", `${functions}/settings`, { transcription_key: secret });
    const moved = { transcription_base_url: "https://whisper.example/v1" };
    expect(await trailOf(() => call("POST", `${functions}/settings`, moved))).toEqual([
      ["settings.save", "transcription_base_url"],
      ["settings.save", "transcription_key"],
    ]);
    const { rows } = await sql<{ entry: string }>`select to_json(a)::text as entry from audit_entries a`.execute(
      server.database.db,
    );
    expect(rows.filter((row) => row.entry.includes(secret))).toEqual([]);
  },
  "POST /functions/v1/connections": async () => {
    const secret = "a-secret-that-nobody-may-read";
    const fields = {
      kind: "s3",
      name: "Archive",
      region: "eu-west-1",
      access_key_id: "AKIA",
      secret_access_key: secret,
    };
    const [{ data }, added] = await connect({ action: "create", ...fields });
    const { id } = data!;
    expect(added).toEqual([["connections.add", id]]);
    const [, changed] = await connect({ action: "update", ...fields, name: "Old archive", id, version: 1 });
    expect(changed).toEqual([["connections.change", id]]);
    expect((await connect({ action: "list" }))[1]).toEqual([]);
    expect((await connect({ action: "test", ...fields, secret_access_key: "" }))[1]).toEqual([]);
    expect((await connect({ action: "delete", id }))[1]).toEqual([["connections.delete", id]]);
    expect((await connect({ action: "delete", id }))[1]).toEqual([]);
    expect(await lastNames(3)).toEqual(["Archive", "Old archive", "Old archive"]);
    expect(JSON.stringify(await readTrail())).not.toContain(secret);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${server.url}/rest/v1/connections`, { headers })).status).toBe(404);
  },
  "POST /functions/v1/watch-folders": async () => {
    const preset = { name: "For a watch folder", settings: {} };
    const [{ id: presetId }] = (await call("POST", "/rest/v1/presets", preset)) as unknown as [{ id: string }];
    const watch = (body: object) => responseAndTrailOf(() => call("POST", `${functions}/watch-folders`, body));
    const fields = { name: "Drop", kind: "local", place: "incoming", preset_id: presetId };
    const [{ data }, added] = await watch({ action: "create", ...fields });
    const { id } = data!;
    expect(added).toEqual([["watch_folders.add", id]]);
    expect((await watch({ action: "update", ...fields, id, version: 1 }))[1]).toEqual([["watch_folders.change", id]]);
    expect((await watch({ action: "check-now", id }))[1]).toEqual([]);
    expect((await watch({ action: "pause", id }))[1]).toEqual([["watch_folders.pause", id]]);
    expect((await watch({ action: "pause", id }))[1]).toEqual([]);
    expect((await watch({ action: "resume", id }))[1]).toEqual([["watch_folders.resume", id]]);
    // In the library, so that it can run again although a check has not found it in the folder.
    const link = "https://drive.google.com/file/d/abc/view";
    const file = { folder_id: id, path: "a.mp4", revision: "1", name: "a.mp4", state: "skipped", link } as const;
    const { db } = server.context;
    const { id: file_id } = await db.insertInto("watch_files").values(file).returning("id").executeTakeFirstOrThrow();
    expect((await watch({ action: "run-again", file_id }))[1]).toEqual([["watch_folders.run-again", id]]);
    for (const action of ["list", "files"]) expect((await watch({ action, id }))[1]).toEqual([]);
    expect((await watch({ action: "delete", id }))[1]).toEqual([["watch_folders.delete", id]]);
    expect((await watch({ action: "delete", id }))[1]).toEqual([]);
    expect(await lastNames(1)).toEqual(["Drop"]);
  },
  "POST /functions/v1/transcripts": async () => {
    const id = await addTranscript(server.context.db);
    const act = (body: object) => trailOf(() => call("POST", `${functions}/transcripts`, { id, ...body }));
    for (const action of ["list", "read", "export"]) expect(await act({ action, format: "srt" })).toEqual([]);
    const lines = [{ startSeconds: 0, endSeconds: 1, words: [{ text: "Hi", startSeconds: 0, endSeconds: 1 }] }];
    expect(await act({ action: "update", revision: 0, lines })).toEqual([["transcripts.change", id]]);
    expect(await act({ action: "delete" })).toEqual([["transcripts.delete", id]]);
    expect(await lastNames(2)).toEqual(["talk.mp4", "talk.mp4"]);
  },
  "POST /functions/v1/webhooks": async () => {
    const [{ data, secret }, added] = await askWebhooks({
      url: "http://127.0.0.1:9/hooks",
      events: ["published"],
    });
    const { id } = data!;
    expect(added).toEqual([["webhooks.add", id]]);
    expect((await askWebhooks({ action: "update", id, enabled: false }))[1]).toEqual([["webhooks.change", id]]);
    expect((await askWebhooks({ action: "rotate", id }))[1]).toEqual([["webhooks.rotate", id]]);
    const [tested, trail] = await askWebhooks({ action: "test", id });
    expect(trail).toEqual([["webhooks.test", id]]);
    expect((await askWebhooks({ action: "update", id, enabled: true }))[1]).toEqual([["webhooks.change", id]]);
    const replay = { action: "replay", id, delivery_id: tested.data!.id };
    expect((await askWebhooks(replay))[1]).toEqual([["webhooks.replay", id]]);
    for (const action of ["deliveries", "delivery"]) expect((await askWebhooks({ ...replay, action }))[1]).toEqual([]);
    expect((await askWebhooks({ action: "delete", id }))[1]).toEqual([["webhooks.delete", id]]);
    expect((await askWebhooks({ action: "delete", id }))[1]).toEqual([]);
    // Addresses may contain keys.
    expect(await lastNames(1)).toEqual(["127.0.0.1:9"]);
    expect(JSON.stringify(await readTrail())).not.toContain(secret);
  },
  "POST /functions/v1/destinations": async () => {
    const fields = { kind: "folder", name: "Handover", place: "deliveries" };
    const [{ data }, added] = await send("destinations", { action: "create", ...fields });
    const { id } = data!;
    expect(added).toEqual([["destinations.add", id]]);
    const [, changed] = await send("destinations", { action: "update", ...fields, name: "Archive", id, version: 1 });
    expect(changed).toEqual([["destinations.change", id]]);
    expect((await send("destinations", { action: "list" }))[1]).toEqual([]);
    expect((await send("destinations", { action: "test", id }))[1]).toEqual([]);
    expect((await send("destinations", { action: "delete", id }))[1]).toEqual([["destinations.delete", id]]);
    expect((await send("destinations", { action: "delete", id }))[1]).toEqual([]);
    expect(await lastNames(3)).toEqual(["Handover", "Archive", "Archive"]);
  },
  "POST /functions/v1/deliveries": async () => {
    const job = await server.create();
    await addReviewable(job.id);
    await server.context.db.updateTable("jobs").set({ status: "Failed" }).where("id", "=", job.id).execute();
    const fields = { action: "create", kind: "folder", name: "Deliveries", place: "deliveries" };
    const { data: destination } = await call("POST", `${functions}/destinations`, fields);
    const [{ data }, started] = await send("deliveries", { job_id: job.id, destination_id: destination!.id });
    expect(started).toEqual([["job.deliver", job.id]]);
    const { id } = data!;
    expect((await send("deliveries", { method: "GET", job_id: job.id }))[1]).toEqual([]);
    expect((await send("deliveries", { id, action: "cancel" }))[1]).toEqual([["job.cancel_delivery", job.id]]);
    expect((await send("deliveries", { id, action: "retry" }))[1]).toEqual([["job.retry_delivery", job.id]]);
  },
  "POST /functions/v1/system": async () => {
    const workerId = randomUUID();
    const worker = {
      id: workerId,
      host: "studio",
      version: "1",
      media: { ffmpeg: "7.0", origin: "bundled" as const, missingLimits: [] },
      pid: 7,
      concurrency: 2,
      canDrain: true,
      labels: [],
    };
    await registerWorker(server.context, worker, { isAlone: true });
    const tell = (order: object) => trailOf(() => call("POST", `${functions}/system`, order));
    for (const act of ["pause", "drain", "resume"]) {
      expect(await tell({ action: `${act}-worker`, workerId })).toEqual([[`worker.${act}`, "studio"]]);
    }
    const resize = { action: "set-concurrency", workerId, concurrency: 3 };
    expect(await tell(resize)).toEqual([["worker.set-concurrency", "studio"]]);
    await sql`update workers set beat_at = now() - interval '1 minute'`.execute(server.database.db);
    expect(await tell({ action: "forget-worker", workerId })).toEqual([["worker.forget", "studio"]]);
    expect(await tell({ action: "pause-queue" })).toEqual([["queue.pause", null]]);
    expect(await tell({ action: "resume-queue" })).toEqual([["queue.resume", null]]);
    expect(await trailOf(() => call("GET", `${functions}/system`))).toEqual([]);
  },
  "POST /uploads": async () => {
    const clip = path.join(folder, "clip.mp4");
    await makeClip(clip, { width: 180, height: 320, seconds: 1 });
    const bytes = await readFile(clip);
    const [{ data }, trail] = await responseAndTrailOf(() => call("POST", "/uploads?name=clip.mp4", bytes));
    expect(trail).toEqual([["library.upload", data!.id]]);
    const { id } = data!;
    expect(await changeLibrary({ method: "PATCH", id, name: "beach.mp4", tags: ["summer"] })).toEqual([
      ["library.rename", id],
      ["library.tag", id],
    ]);
    expect(await changeLibrary({ method: "DELETE", ids: [id, "missing"] })).toEqual([["library.delete", id]]);
    expect(await changeLibrary({ method: "DELETE", id })).toEqual([]);
    expect(await changeLibrary({ method: "GET" })).toEqual([]);
    expect(await lastNames(4)).toEqual(["clip.mp4", "beach.mp4", "beach.mp4", "beach.mp4"]);
  },
  "PATCH /uploads/tus/:id": async () => {
    const clip = path.join(folder, "resumed.mp4");
    await makeClip(clip, { width: 180, height: 320, seconds: 1, toneHz: 300 });
    const bytes = await readFile(clip);
    const sender = createTusSender(server.url, token);
    const at = await sender.create(bytes.length);
    const trail = await trailOf(() => sender.send(at, 0, bytes));
    expect(trail).toEqual([["library.upload", expect.any(String)]]);
  },
  "POST /functions/v1/library": () => SCENES["POST /uploads"]!(),
  "POST /functions/v1/cloak-publisher": async () => {
    const domain = { name: "example.org", status: "active" };
    const rows = (await call("POST", "/rest/v1/domains", domain)) as unknown as { id: string }[];
    const route = { domain_id: rows[0]!.id, primary_url: "https://example.com/?token=nobodys-business" };
    await call("POST", "/rest/v1/routes", [
      { ...route, slug: "a" },
      { ...route, slug: "__root__" },
    ]);
    expect(await lastNames(3)).toEqual(["example.org", "example.org/a", "example.org/"]);
    expect(await trailOf(() => call("POST", `${functions}/cloak-publisher`))).toEqual([["cloak.publish", null]]);
  },
  "POST /functions/v1/generate-captions": async () => {
    const request = { count: 1, generationMode: "custom", customPrompt: "Short." };
    expect(await trailOf(() => call("POST", `${functions}/generate-captions`, request))).toEqual([
      ["captions.generate", null],
    ]);
  },
  "POST /functions/v1/analyze-video-captions": async () => {
    const address = `${functions}/analyze-video-captions`;
    const [{ batchId }, trail] = await responseAndTrailOf(() =>
      call("POST", address, { videoLinks: [LINK], wait: false }),
    );
    expect(trail).toEqual([["captions.start", batchId]]);
    expect(await trailOf(() => call("POST", address, { batchId, wait: false }))).toEqual([]);
    expect(await trailOf(() => call("POST", address, { batchId, wait: false, action: "cancel" }))).toEqual([
      ["captions.cancel", batchId],
    ]);
    expect(await trailOf(() => call("POST", address, { batchId, wait: false, action: "retry" }))).toEqual([
      ["captions.retry", batchId],
    ]);
  },
  "POST /guest/:token/approve": async () => {
    // guest-routes.test.ts has an approval.
    expect(await trailOf(() => fetch(`${server.url}/guest/unknown/approve`, { method: "POST" }))).toEqual([]);
  },
  // These two end the test's own session, so they come last.
  "POST /auth/v1/factors/:id/verify": async () => {
    const factor = (await call("POST", "/auth/v1/factors", { factor_type: "totp", friendly_name: "two" })) as {
      id: string;
      totp: { secret: string };
    };
    const { id } = await call("POST", `/auth/v1/factors/${factor.id}/challenge`);
    const proof = { challenge_id: id, code: await openAuthenticator(factor.totp.secret).nextCode() };
    const session = await call("POST", `/auth/v1/factors/${factor.id}/verify`, proof);
    token = String(session.access_token);
    expect(await lastActs(1)).toEqual([["second-step.pass", factor.id]]);
  },
  "POST /auth/v1/logout": async () => {
    await call("POST", "/auth/v1/logout?scope=local");
    const last = await server.context.db
      .selectFrom("audit_entries")
      .select(["action", "email"])
      .orderBy("id", "desc")
      .executeTakeFirst();
    expect(last).toEqual({ action: "account.sign-out", email: TEST_ACCOUNT.email });
  },
};

/** These change nothing, or record their author themselves. */
const CHANGE_NOTHING = [
  "POST /guest/:token/comments",
  "POST /oauth/register",
  "POST /uploads/tus",
  "DELETE /uploads/tus/:id",
  "POST /auth/v1/recover",
  "POST /auth/v1/otp",
  "POST /auth/v1/resend",
  "POST /auth/v1/factors/:id/challenge",
  ...FUNCTIONS.filter(({ calls }) => calls.every(({ isRead, isGet }) => isRead && !isGet)).map(
    ({ path }) => `POST /functions/v1/${path}`,
  ),
];

async function lastActs(count: number): Promise<[string, string | null][]> {
  return (await readTrail(count)).toReversed().map((entry) => [entry.action, entry.subject]);
}

function rejectLost(): Promise<never> {
  return Promise.reject(new Error("The connection was lost."));
}

describe("the audit log", () => {
  it("has a test here for every route that may change something", async () => {
    const { app, close } = await openTestApp(server);
    await close();
    const changing = app.routes
      .filter(({ method }) => ["POST", "PUT", "PATCH", "DELETE"].includes(method))
      // The log has what operators do, not the work on their jobs.
      .filter(({ path }) => !path.startsWith(`${WORKER_PATH}/`))
      .map(({ method, path }) => `${method} ${path}`);
    const known = [...new Set([...changing, "GET /auth/v1/verify"])].toSorted();
    expect([...Object.keys(SCENES), ...CHANGE_NOTHING].toSorted()).toEqual(known);
  });

  it("is readable page by page by operators only, and not writable", async () => {
    expect((await fetch(`${server.url}/functions/v1/audit`)).status).toBe(401);
    await call("POST", `${functions}/settings`, { default_variants: 2, default_video_gain: 0.4 });
    const [newest, second] = await readTrail(2);
    expect(new Set([newest!.subject, second!.subject])).toEqual(new Set(["default_variants", "default_video_gain"]));
    const page = await call("GET", `${functions}/audit?limit=1&before=${newest!.id}`);
    expect(page.data).toEqual([second]);
    for (const query of ["limit=0", "limit=1001", "limit=x", "before=x"]) {
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${server.url}${functions}/audit?${query}`, { headers })).status).toBe(400);
    }
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${server.url}/rest/v1/audit_entries`, { headers })).status).toBe(404);
  });

  it("records wrong passwords by account and address, but only a few of a flood", async () => {
    const before = (await readTrail(1))[0]!.id;
    for (let i = 0; i < 6; i += 1) expect((await failToSignIn(TEST_ACCOUNT.email)).status).toBe(400);
    for (let i = 0; i < 40; i += 1) await failToSignIn(`nobody${i}@clipmill.local`);
    const since = async () => (await readTrail(1_000)).filter((entry) => entry.id > before).toReversed();
    await expect.poll(async () => (await since()).length).toBe(30);
    const entries = await since();
    const { account_id, ...known } = entries[0]!;
    expect(account_id).not.toBeNull();
    expect(known).toMatchObject({
      email: TEST_ACCOUNT.email,
      action: "account.sign-in-failed",
      subject: "127.0.0.1",
    });
    expect(entries.filter(({ email }) => email === TEST_ACCOUNT.email)).toHaveLength(3);
    expect(entries[3]).toMatchObject({ account_id: null, email: "nobody0@clipmill.local" });
    expect(JSON.stringify(entries)).not.toContain("not the password");
  });

  it("names items deleted with their parent, and uses the current name where none was recorded", async () => {
    const domains = (await call("POST", "/rest/v1/domains", { name: "gone.example" })) as unknown as { id: string }[];
    const id = domains[0]!.id;
    await call("POST", "/rest/v1/routes", { domain_id: id, slug: "a", primary_url: "https://example.com/" });
    await call("DELETE", `/rest/v1/domains?id=eq.${id}`);
    expect(await lastNames(3)).toEqual(["gone.example", "gone.example/a", "gone.example"]);
    const { data } = await call("POST", `${functions}/caption-sets`, { method: "POST", name: "Old", captions: ["x"] });
    await server.context.db.updateTable("audit_entries").set({ subject_name: null }).execute();
    await server.context.db.updateTable("caption_sets").set({ name: "New" }).where("id", "=", data!.id).execute();
    expect(await lastNames(2)).toEqual([null, "New"]);
    expect(await lastActs(1)).toEqual([["caption_sets.add", data!.id]]);
  });

  it("records nothing for a rejected call", async () => {
    const before = (await readTrail(1))[0]!.id;
    const headers = { authorization: `Bearer ${token}` };
    const post = (address: string, body: object) =>
      fetch(server.url + address, { method: "POST", headers, body: JSON.stringify(body) });
    expect((await post("/auth/v1/token?grant_type=refresh_token", { refresh_token: "wrong" })).status).toBe(400);
    expect((await post(`${functions}/jobs`, { job_name: "x", input_videos: [] })).status).toBe(400);
    expect((await readTrail(1))[0]!.id).toBe(before);
  });

  it("records nothing for a rolled-back verb", async () => {
    const { context } = server;
    const job = await server.create();
    const before = (await readTrail(1))[0]!.id;
    const videos = { ...context.queue.videos, cancel: rejectLost };
    await expect(cancelJob({ ...context, queue: { ...context.queue, videos } }, job.id)).rejects.toThrow("lost");
    // The first row was added with its entry before the second was rejected.
    const rows = [
      { name: "Rolled back", captions: ["a"] },
      { name: "", captions: ["b"] },
    ];
    const headers = { authorization: `Bearer ${token}` };
    const body = JSON.stringify(rows);
    expect((await fetch(`${server.url}/rest/v1/caption_sets`, { method: "POST", headers, body })).status).toBe(400);
    expect((await readTrail(1))[0]!.id).toBe(before);
    expect((await readJob(context, job.id))!.status).toBe("Queued");
    await cancelJob(context, job.id);
    expect((await readTrail(1))[0]).toMatchObject({ action: "job.cancel", subject: job.id, email: "terminal" });
  });

  it("records nothing for a call without changes", async () => {
    const { id } = await server.create();
    const calls: [path: string, body: object][] = [
      [`${functions}/jobs`, { job_name: "Once", input_videos: [LINK], idempotency_key: randomUUID() }],
      [`${functions}/jobs`, { action: "hold", jobId: id }],
      [`${functions}/jobs`, { action: "release", jobId: id }],
      [`${functions}/system`, { action: "pause-queue" }],
      [`${functions}/system`, { action: "resume-queue" }],
      [`${functions}/analyze-video-captions`, { videoLinks: [`${LINK}#`], wait: false }],
    ];
    for (const [path, body] of calls) {
      await call("POST", path, body);
      expect(await trailOf(() => call("POST", path, body))).toEqual([]);
    }
  });

  it("deletes entries older than 180 days", async () => {
    const [newest] = await readTrail(1);
    const written = new Date(newest!.created_at).getTime();
    const dayMs = 86_400_000;
    await deleteOldAuditEntries(server.context, new Date(written + 180 * dayMs - 1_000));
    expect((await readTrail(1))[0]).toEqual(newest);
    await server.context.db
      .insertInto("audit_entries")
      .values({ email: "old@clips.test", action: "x", created_at: new Date(written - 10 * dayMs).toISOString() })
      .execute();
    await deleteOldAuditEntries(server.context, new Date(written + 171 * dayMs));
    const left = await readTrail();
    expect([left[0], left.some((entry) => entry.email === "old@clips.test")]).toEqual([newest, false]);
  });

  it.each(Object.entries(SCENES))("records %s", async (_, play) => {
    await expect(play()).resolves.toBeUndefined();
  });
});
