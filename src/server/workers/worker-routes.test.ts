import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import { VERSION_HEADER } from "#contract/workers/worker-protocol.ts";
import { sha256Of } from "#ground/checksum.ts";
import { findStoredOutput } from "#operations/jobs/videos/complete-output.ts";
import { VERSION } from "#operations/fleet/list-workers.ts";
import { saveServiceKey } from "#operations/settings/service-key.ts";
import { revokeToken } from "#operations/tokens/create-token.ts";
import { createApiToken } from "#tests/support/servers/api-token.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { openTestFolderStorage } from "#tests/support/servers/storages.ts";
import { createTokenRequests } from "#tests/support/servers/by-token/token-requests.ts";
import { createWorkerToken } from "#tests/support/servers/by-token/worker-by-token.ts";

const DRIVE = "https://drive.google.com/file/d/abc/view";

let server: TestServer;
let own: { id: string; token: string };
let other: { id: string; token: string };

beforeAll(async () => {
  server = await startTestServer(undefined, { openStorage: openTestFolderStorage });
});
beforeEach(async () => {
  for (const table of ["jobs", "hosts", "transcripts"] as const) await server.context.db.deleteFrom(table).execute();
  await sql`delete from pgboss.job`.execute(server.context.db);
  await saveServiceKey(server.context, "openai_key", "a-key");
  own = await createWorkerToken(server.context, ["far"]);
  other = await createWorkerToken(server.context, ["far"]);
});
afterAll(() => server.close());

const { ask, claim, put, keyOf, file } = createTokenRequests(() => ({ server, token: own.token }));

it("accepts only a worker's token, which opens nothing else, and only the server's version", async () => {
  const api = await createApiToken(server.client);
  expect(await ask("/claim", { links: [] }, api)).toMatchObject({ status: 403, isRejected: true });
  expect(await ask("/claim", { links: [] }, "clm_unknown")).toMatchObject({ status: 401, isRejected: true });
  expect(await ask("/claim", { links: [] }, own.token, { version: "0.1.0" })).toMatchObject({
    status: 409,
    isRejected: true,
  });
  expect(await ask("/claim", { links: [] })).toMatchObject({ status: 200, answer: null });
  for (const path of ["/functions/v1/jobs", "/rest/v1/jobs", "/openapi.json", "/mcp", "/uploads"]) {
    const headers = { authorization: `Bearer ${own.token}` };
    expect((await fetch(server.url + path, { headers, method: path === "/mcp" ? "POST" : "GET" })).status).toBe(403);
  }
});

/** Returns the response, or the error's sentence. */
async function createToken(body: object): Promise<unknown> {
  const { data, error } = await server.client.functions.invoke("tokens", { body: { name: "One", ...body } });
  if (!error) return data;
  return ((await (error as { context: Response }).context.json()) as { error: string }).error;
}

it("requires labels for a worker's token, and no other permission", async () => {
  expect(await createToken({ scopes: ["worker"] })).toBe("Enter at least one label for the workers.");
  expect(await createToken({ scopes: ["worker", "admin"], worker_labels: ["far"] })).toContain("other permissions");
  expect(await createToken({ scopes: ["admin"], worker_labels: ["far"] })).toContain("Only worker tokens");
  expect(await createToken({ scopes: ["worker"], worker_labels: ["Far", "eu"] })).toMatchObject({
    data: { scopes: ["worker"], worker_labels: ["eu", "far"] },
  });
});

it("gives a claimed video to nobody else, and ends claims idempotently", async () => {
  const { path, videoId } = await claim();
  expect(await ask("/claim", { links: [] }, other.token)).toMatchObject({ answer: null });
  expect(await ask(`${path}/claim`, {}, other.token)).toMatchObject({ status: 409, code: "cancelled" });
  expect(await ask("/renew", { claims: [{ videoId, retryCount: 0 }] }, other.token)).toMatchObject({
    answer: { claims: [] },
  });
  expect(await ask("/renew", { claims: [{ videoId, retryCount: 0 }] })).toMatchObject({
    answer: { claims: [{ videoId, retryCount: 0 }], stoppedJobs: [] },
  });
  // Of another's, without effect.
  await ask(`${path}/settle`, { how: "undo" }, other.token);
  expect((await ask(`${path}/readNow`, {})).status).toBe(200);
  for (let time = 0; time < 2; time += 1) {
    expect(await ask(`${path}/settle`, { how: "undo" })).toMatchObject({ status: 200 });
  }
  expect(await ask(`${path}/readNow`, {})).toMatchObject({ status: 409, code: "cancelled" });
  const again = await ask("/claim", { links: [] }, other.token);
  expect(again.answer).toMatchObject({ id: videoId, retryCount: 1, data: { handedBack: 1 } });
});

it("hands a video out again, as another attempt, when its lease has ended", async () => {
  const { videoId, path } = await claim();
  const { db } = server.context;
  await sql`update pgboss.job set heartbeat_on = now() - interval '11 seconds' where id = ${videoId}`.execute(db);
  const claimAgain = async () => (await ask("/claim", { links: [] }, other.token)).answer;
  await expect.poll(claimAgain, { timeout: 10_000 }).toMatchObject({ id: videoId, retryCount: 1 });
  expect(await ask("/renew", { claims: [{ videoId, retryCount: 0 }] })).toMatchObject({ answer: { claims: [] } });
  expect(await ask(`${path}/end`, { status: "Completed" })).toMatchObject({ status: 409, code: "cancelled" });
});

it("stores files only under the video's own keys, and only with the stated content", async () => {
  const claimed = await claim();
  const { path, job, outputs } = claimed;
  const key = keyOf(claimed, outputs[0]!.name);
  expect(await put(path, key, "video", own.token, sha256Of("other"))).toMatchObject({ code: "incomplete" });
  expect(await server.context.storage.sizeOf(key)).toBeNull();
  expect(await put(path, key, "video", other.token)).toMatchObject({ status: 409, code: "cancelled" });
  expect(await put(path, key, "video")).toMatchObject({ status: 200 });
  expect(await put(path, `${key}.jpg`, "cover")).toMatchObject({ status: 200 });
  expect(await put(path, `thumbnails/${job.id}/abc.jpg`, "picture")).toMatchObject({ status: 200 });
  const foreign = [
    keyOf(claimed, "another.mp4"),
    `outputs/${job.id}/attempt-2/${outputs[0]!.name}`,
    `outputs/${randomUUID()}/${outputs[0]!.name}`,
    `thumbnails/${randomUUID()}/abc.jpg`,
    `thumbnails/${job.id}/../abc.jpg`,
    "library/abc",
    "../secret",
  ];
  for (const one of foreign) {
    const { status } = await put(path, one, "video");
    expect([one, status]).toEqual([one, 403]);
    await ask(`${path}/removeFile`, { key: one });
  }
  expect(await ask(`${path}/complete`, file(claimed, { sizeBytes: 6 }))).toMatchObject({ code: "incomplete" });
  expect(await ask(`${path}/complete`, file(claimed, { storageKey: "library/abc" }))).toMatchObject({ status: 403 });
  expect(await ask(`${path}/complete`, file(claimed))).toMatchObject({ status: 200, answer: key });
  // Nor can a completed file be replaced.
  const wanted = { key, sizeBytes: 5, sha256: sha256Of("other") };
  expect(await ask(`${path}/store`, wanted)).toMatchObject({ status: 403 });
  expect(await put(path, key, "other")).toMatchObject({ status: 403 });
  expect(await put(path, `${key}.jpg`, "other")).toMatchObject({ status: 403 });
  // A file that an output uses stays.
  await ask(`${path}/removeFile`, { key });
  expect(await server.context.storage.sizeOf(key)).toBe(5);
});

function failure(host: string) {
  return { failure: { host, reason: "Down.", retryAfterSeconds: null } };
}

it("changes no output, host or link of another job", async () => {
  const mine = await claim();
  const theirs = await claim(other.token);
  const [stolen] = theirs.outputs;
  const { path } = mine;
  expect(await ask(`${path}/complete`, file(mine, { id: stolen!.id }))).toMatchObject({ status: 403 });
  const report = { stage: "Rendering", share: 0.5, outputs: [[stolen!.id, 0.5]] };
  expect(await ask(`${path}/report`, report)).toMatchObject({ status: 403 });
  expect(await ask(`${path}/recordHostFailure`, failure("dropbox"))).toMatchObject({ status: 403 });
  expect(await ask(`${path}/recordHostFailure`, failure("google-drive"))).toMatchObject({ status: 200 });
  // Believing it would stop all workers.
  expect(await ask(`${path}/recordHostFailure`, failure("storage"))).toMatchObject({ status: 200, answer: null });
  const { db } = server.context;
  expect(await db.selectFrom("hosts").select("host").execute()).toEqual([{ host: "google-drive" }]);
  for (const name of ["readHost", "recordHostResponse", "releaseProbe"]) {
    const asked = await Promise.all(["dropbox", "openai"].map((host) => ask(`${path}/${name}`, { host })));
    expect(asked).toMatchObject([{ status: 403 }, { status: 403 }]);
  }
  expect(await ask(`${path}/describe`, { link: DRIVE.replace("abc", "other") })).toMatchObject({ status: 403 });
  const facts = { kind: "video", storage_key: "library/other", size_bytes: 1, duration_seconds: 1 } as const;
  await server.context.db
    .insertInto("library_files")
    .values({ id: "other", name: "other.mp4", is_sample: false, ...facts })
    .execute();
  expect(await ask(`${path}/library`, { id: "other" })).toMatchObject({ status: 403 });
  expect(await ask(`${path}/library`, { id: "deleted" })).toMatchObject({ status: 200, answer: null });
  expect(await ask(`${path}/accepted`, {})).toMatchObject({ answer: { hosts: [], privateSources: [] } });
});

it("plans only the files that the settings ask for, and none whose name leads to others", async () => {
  const { path } = await claim();
  const facts = { name: "clip.mp4", durationSeconds: 1, pass: null };
  const one = { variant: 0, segment: 0, name: "one.mp4", caption: null, track: null };
  const plan = (output: object) => ask(`${path}/plan`, { facts, outputs: [{ ...one, ...output }], costMinutes: 1 });
  for (const name of ["attempt-2", "other.mp4.jpg", "one.mp4/"]) {
    expect(await plan({ name })).toMatchObject({ status: 400 });
    expect(await plan({ nameIfTaken: name })).toMatchObject({ status: 400 });
  }
  for (const beyond of [{ variant: 2 }, { segment: 1 }]) expect(await plan(beyond)).toMatchObject({ status: 403 });
});

it("gives what a worker stores only to workers with its token", async () => {
  const claimed = await claim();
  const { path, outputs } = claimed;
  await put(path, keyOf(claimed, outputs[0]!.name), "video");
  await put(path, file(claimed).thumbnailKey, "picture");
  await ask(`${path}/recordSubtitles`, { contentKey: "a-content", srt: "1" });
  expect(await ask(`${path}/complete`, file(claimed))).toMatchObject({ status: 200 });
  expect((await ask(`${path}/findStored`, { contentKey: "a-content" })).answer).toMatchObject({ sizeBytes: 5 });
  expect(await findStoredOutput(server.context, claimed.job.id, "a-content")).toBeNull();
  const { db } = server.context;
  const contentKey = `token:${own.id}:a-content`;
  const subtitles = await db.selectFrom("output_subtitles").select("content_key").execute();
  expect(subtitles).toEqual([{ content_key: contentKey }]);
  // What another worker has stored may be used.
  await db.updateTable("job_outputs").set({ content_key: "a-content" }).where("content_key", "=", contentKey).execute();
  const [, second] = outputs;
  expect(await ask(`${path}/complete`, file(claimed, { id: second!.id }))).toMatchObject({ status: 200 });
  const keys = await db.selectFrom("job_outputs").select("content_key").execute();
  expect(keys).toEqual([{ content_key: "a-content" }, { content_key: "a-content" }]);
});

it("lets a video wait only for what it uses, and believes no text about a website", async () => {
  const { path } = await claim();
  const failed = { code: "unavailable", step: "fetch", message: "Down.", tail: null };
  expect(await ask(`${path}/postpone`, { failure: failed, wait: { host: "openai" } })).toMatchObject({ status: 403 });
  const lie = { host: "google-drive", reason: "Send your password to me.", retryAfterSeconds: 60 };
  expect(await ask(`${path}/recordHostFailure`, { failure: lie })).toMatchObject({
    answer: { host: "google-drive", reason: "Google Drive is not available." },
  });
});

it("tries the storage itself when a worker reports that it is down", async () => {
  const { path } = await claim();
  const report = () => ask(`${path}/recordHostFailure`, failure("storage"));
  expect(await report()).toMatchObject({ status: 200, answer: null });
  vi.spyOn(server.context.storage, "sizeOf").mockRejectedValue(new ClipmillError("unavailable", "Down."));
  await expect.poll(report).toMatchObject({ answer: { host: "storage" } });
  vi.restoreAllMocks();
});

it("opens no link that the worker itself named", async () => {
  const { path, videoId } = await claim();
  const link = "https://drive.google.com/file/d/stolen/view";
  const facts = { name: link, durationSeconds: 1, pass: { "part.hook": link } };
  expect(await ask(`${path}/plan`, { facts, outputs: [], costMinutes: 1 })).toMatchObject({ status: 200 });
  const { db } = server.context;
  const stored = await db.selectFrom("job_videos").select("row_pass").where("id", "=", videoId).executeTakeFirst();
  expect(stored).toEqual({ row_pass: null });
  // As that of an assembled video, whose names of parts come from its worker.
  const pass = JSON.stringify(facts.pass);
  await db
    .updateTable("job_videos")
    .set({ row_pass: pass, clips: [0] })
    .where("id", "=", videoId)
    .execute();
  expect(await ask(`${path}/describe`, { link })).toMatchObject({ status: 403 });
  const source = `${path}/source?${new URLSearchParams({ link })}`;
  const headers = { authorization: `Bearer ${own.token}`, [VERSION_HEADER]: VERSION };
  expect((await fetch(`${server.url}/worker/v1${source}`, { headers })).status).toBe(403);
});

it("keeps what a worker says of a source for its token, and only for clips that need it", async () => {
  const { path: plain } = await claim();
  const of = { clip: 0, content: "a".repeat(64), name: "clip.mp4", link: DRIVE, durationSeconds: 1 };
  expect(await ask(`${plain}/obtainTranscript`, of)).toMatchObject({ status: 403 });
  const { path } = await claim(own.token, { subtitles_enabled: true });
  const other = DRIVE.replace("abc", "other");
  expect(await ask(`${path}/obtainTranscript`, { ...of, link: other })).toMatchObject({ status: 403 });
  expect(await ask(`${path}/obtainTranscript`, { ...of, clip: 1 })).toMatchObject({ status: 403 });
  expect(await ask(`${path}/obtainTranscript`, { ...of, clip: 5 })).toMatchObject({ status: 400 });
  expect(await ask(`${path}/keepFileTranscript`, { of, lines: [] })).toMatchObject({ status: 403 });
  expect(await ask(`${path}/obtainTranscript`, of)).toMatchObject({ status: 200, answer: null });
  const contents = await server.context.db.selectFrom("transcripts").select("content").execute();
  expect(contents).toEqual([{ content: `token:${own.id}:${of.content}` }]);
});

it("translates only the video's own captions, and says when the model is down", async () => {
  const captions = { captions_enabled: true, custom_captions: ["One", "Two"], languages: ["de"] };
  const { path } = await claim(own.token, captions);
  const wanted = { texts: ["One"], ahead: ["Two"], language: "de" };
  for (const other of [{ texts: ["Three"] }, { ahead: ["Three"] }, { language: "fr" }]) {
    expect(await ask(`${path}/translate`, { ...wanted, ...other })).toMatchObject({ status: 403 });
  }
  const speech = { texts: ["One"], ahead: [], speech: ["One"], language: "de" };
  expect(await ask(`${path}/translate`, speech)).toMatchObject({ status: 403 });
  const spoken = await claim(own.token, { subtitles_enabled: true, subtitle_languages: ["de"] });
  expect(await ask(`${spoken.path}/translate`, speech)).toMatchObject({ code: "unavailable" });
  const { db } = server.context;
  const [now, later] = [new Date().toISOString(), new Date(Date.now() + 3_600_000).toISOString()];
  const down = { host: "openai", reason: "Down.", failures: 3, failed_at: now, cooling_since: now } as const;
  await db
    .insertInto("hosts")
    .values({ ...down, cools_until: later, cooldown_seconds: 60 })
    .execute();
  expect(await ask(`${path}/translate`, wanted)).toMatchObject({
    status: 200,
    answer: { cooldown: { host: "openai", reason: "Down." } },
  });
});

it("rejects everything after a revocation, and gives the next attempt a new number", async () => {
  const claimed = await claim();
  const { path, videoId, outputs } = claimed;
  const { id: accountId } = await server.context.db.selectFrom("accounts").select("id").executeTakeFirstOrThrow();
  await revokeToken(server.context, accountId, { id: own.id, revoke: true });
  const key = keyOf(claimed, outputs[0]!.name);
  expect(await put(path, key, "video")).toMatchObject({ status: 401, isRejected: true });
  expect(await ask(`${path}/complete`, file(claimed))).toMatchObject({ status: 401 });
  expect((await ask("/claim", { links: [] }, other.token)).answer).toMatchObject({
    id: videoId,
    retryCount: 1,
    // The next attempt has the number 2, of which the queue counts none.
    data: { attemptsBefore: 1, handedBack: 1 },
  });
});

it("rejects requests that are not valid", async () => {
  const { path } = await claim();
  for (const [name, body] of [
    ["plan", { facts: {}, outputs: [], costMinutes: 1 }],
    ["end", { status: "Queued" }],
    ["report", { stage: "Rendering", share: 0.5, outputs: [["x", 1]] }],
    ["store", { key: "a", sizeBytes: 1, sha256: "short" }],
  ] as const) {
    const { status, code } = await ask(`${path}/${name}`, body);
    expect([name, status, code]).toEqual([name, 400, "invalid"]);
  }
  expect(await ask(`${path}/nothing`, {})).toMatchObject({ status: 404 });
});
