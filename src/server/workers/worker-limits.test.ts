/** A worker with a valid token that misbehaves. */
import { randomUUID } from "node:crypto";
import http from "node:http";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { SHA256_HEADER, VERSION_HEADER, WORKER_PATH } from "#contract/workers/worker-protocol.ts";
import { sha256Of } from "#ground/checksum.ts";
import { startCancelling } from "#operations/jobs/cancel-job.ts";
import { VERSION } from "#operations/fleet/list-workers.ts";
import { readJob } from "#operations/jobs/read/read-job.ts";
import { saveServiceKey } from "#operations/settings/service-key.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { openTestFolderStorage } from "#tests/support/servers/storages.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import { createTokenRequests } from "#tests/support/servers/by-token/token-requests.ts";
import { createWorkerToken } from "#tests/support/servers/by-token/worker-by-token.ts";

vi.mock("#operations/workers/token-limits.ts", async (load) => {
  const real = await load<typeof import("#operations/workers/token-limits.ts")>();
  return { ...real, TOKEN_LIMITS: { ...real.TOKEN_LIMITS, waits: 2 } };
});

/** Nothing listens on this port. */
const NOWHERE = "127.0.0.1:9";

const MEDIA = { ffmpeg: "7.1", origin: "path", missingLimits: [] };

let server: TestServer;
let openAi: OpenAiTwin;
let own: { id: string; token: string };

const { ask, read, claim, put, keyOf, file } = createTokenRequests(() => ({ server, token: own.token }));

beforeAll(async () => {
  openAi = await startOpenAiTwin();
  const hosts = { privateSources: [NOWHERE] };
  server = await startTestServer(undefined, { openStorage: openTestFolderStorage, hosts, openAiUrl: openAi.url });
  await saveServiceKey(server.context, "openai_key", TWIN_KEY);
});
beforeEach(async () => {
  for (const table of ["jobs", "workers"] as const) await server.context.db.deleteFrom(table).execute();
  await sql`delete from pgboss.job`.execute(server.context.db);
  own = await createWorkerToken(server.context, ["far"]);
});
afterAll(async () => {
  await server.close();
  await openAi.close();
});

async function stateOf(videoId: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`select state from pgboss.job where id = ${videoId}`.execute(
    server.context.db,
  );
  return rows[0]?.state;
}

const LONG = { timeout: 10_000 };

it("fails the attempt of a worker that completes its task before the video has ended", async () => {
  const { path, videoId, job } = await claim();
  await ask(`${path}/settle`, { how: "complete" });
  const claimAgain = async () => (await ask("/claim", { links: [] })).answer;
  await expect.poll(claimAgain, LONG).toMatchObject({ id: videoId, retryCount: 1 });
  // Not even begun.
  await ask(`/claims/${videoId}/1/settle`, { how: "complete" });
  expect(await stateOf(videoId)).toBe("retry");
  expect(await startCancelling(server.context, job.id)).toBe("cancelled");
});

it("lets a worker complete the task of a video that has ended, or whose samples wait for approval", async () => {
  const ended = await claim();
  const failure = { code: "damaged", step: null, message: "Damaged.", tail: null };
  await ask(`${ended.path}/end`, { status: "Failed", failure, outputFailures: [], reasons: [] });
  await ask(`${ended.path}/settle`, { how: "complete" });
  expect(await stateOf(ended.videoId)).toBe("completed");
  const sampled = await claim(own.token, { proof_count: 1 });
  expect(await ask(`${sampled.path}/end`, { status: "Sampled", share: 0.5 })).toMatchObject({ answer: true });
  await ask(`${sampled.path}/settle`, { how: "complete" });
  expect(await stateOf(sampled.videoId)).toBe("completed");
  expect(await readJob(server.context, sampled.job.id)).toMatchObject({ awaiting_approval: true });
});

it("cancels a job whose worker does not stop", async () => {
  const { path, videoId, job } = await claim();
  const held = { claims: [{ videoId, retryCount: 0 }] };
  expect(await startCancelling(server.context, job.id)).toBe("stopping");
  expect(await ask("/renew", held)).toMatchObject({ answer: { ...held, stoppedJobs: [job.id] } });
  const { db } = server.context;
  await sql`update jobs set updated_at = now() - interval '31 seconds' where id = ${job.id}`.execute(db);
  // Canceling again does not extend the time.
  expect(await startCancelling(server.context, job.id)).toBe("stopping");
  expect(await ask("/renew", held)).toMatchObject({ answer: { claims: [], stoppedJobs: [job.id] } });
  expect(await readJob(server.context, job.id)).toMatchObject({ status: "Cancelled" });
  expect(await ask(`${path}/readNow`, {})).toMatchObject({ status: 409, code: "cancelled" });
});

/** As long as `act` runs, the database fails with this SQLSTATE while it looks for the token's claims. */
async function whileFailing(sqlState: string, act: () => Promise<void>): Promise<void> {
  const { db } = server.context;
  await sql`alter table worker_claims rename to real_claims`.execute(db);
  await sql
    .raw(
      `create function fail() returns setof real_claims language plpgsql as
      $$ begin raise 'failed' using errcode = '${sqlState}'; end $$`,
    )
    .execute(db);
  await sql`create view worker_claims as select * from fail()`.execute(db);
  try {
    await act();
  } finally {
    await sql`drop view worker_claims`.execute(db);
    await sql`drop function fail`.execute(db);
    await sql`alter table real_claims rename to worker_claims`.execute(db);
  }
}

it("lets the worker tell failures of the server from those of a website", async () => {
  const link = `http://${NOWHERE}/clip.mp4`;
  const { path } = await claim(own.token, { input_videos: [link] });
  const codesOf = async () => {
    const source = `${path}/source?${new URLSearchParams({ link })}`;
    const asked = [await ask(`${path}/describe`, { link }), await read(source), await ask(`${path}/readNow`, {})];
    return asked.map(({ code }) => code);
  };
  expect(await codesOf()).toEqual(["network", "network", null]);
  // cannot_connect_now: a restart.
  await whileFailing("57P03", async () => {
    expect(await codesOf()).toEqual(["unexpected_failure", "unexpected_failure", "unexpected_failure"]);
  });
  // disk_full.
  await whileFailing("53100", async () => {
    expect(await codesOf()).toEqual(["unexpected_failure", "unexpected_failure", "unexpected_failure"]);
  });
  // A bug: the worker would repeat a write forever.
  await whileFailing("22012", async () => {
    expect(await codesOf()).toEqual(["unexpected_failure", "unexpected_failure", "internal"]);
  });
});

const MB = 1024 ** 2;

it("accepts only as much as each request needs", async () => {
  const claimed = await claim();
  const { path } = claimed;
  const sizesOf = async (name: string, megabytes: number[]) =>
    await Promise.all(
      megabytes.map(async (size) => (await ask(`${path}/${name}`, { padding: "x".repeat(size * MB) })).code),
    );
  expect(await sizesOf("readNow", [0.5, 1])).toEqual([null, "too_large"]);
  expect(await sizesOf("complete", [0.5, 1])).toEqual(["invalid", "too_large"]);
  expect(await sizesOf("keepFileTranscript", [7, 8])).toEqual(["invalid", "too_large"]);
  expect(await sizesOf("plan", [9])).toEqual(["invalid"]);
  const long = "x".repeat(2_001);
  const warnings = [{ code: "caption_cut", message: long }];
  const check = { rule: "shape", status: "warn", found: long, expected: "9:16" };
  const conformance = { platform: "tiktok", rules_read_on: "2026-11-01", checks: [check] };
  for (const more of [{ warnings }, { conformance }]) {
    expect(await ask(`${path}/complete`, file(claimed, more))).toMatchObject({ status: 400, code: "invalid" });
  }
});

it("receives at most 64 files at the same time, and reserves space for each", async () => {
  const claimed = await claim();
  const key = keyOf(claimed, claimed.outputs[0]!.name);
  const { uploadsInProgress: inProgress } = server;
  const others = Array.from({ length: 64 }, () => ({ kind: "worker" as const, leftBytes: 0 }));
  for (const other of others) inProgress.add(other);
  expect(await put(claimed.path, key, "video")).toMatchObject({ status: 429, code: "too_many" });
  inProgress.delete(others[0]!);
  others[1]!.leftBytes = 2 ** 60;
  expect(await put(claimed.path, key, "video")).toMatchObject({ status: 507, code: "no_space" });
  inProgress.clear();
  // Uploads to the library do not count.
  for (let place = 0; place < 16; place += 1) inProgress.add({ leftBytes: 0 });
  expect(await put(claimed.path, key, "video")).toMatchObject({ status: 200 });
  inProgress.clear();
  const query = new URLSearchParams({ key });
  const request = http.request(`${server.url}${WORKER_PATH}${claimed.path}/files?${query}`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${own.token}`,
      [VERSION_HEADER]: VERSION,
      [SHA256_HEADER]: sha256Of("video"),
      "content-length": 5,
    },
  });
  request.on("error", () => {}).write("vi");
  await expect.poll(() => [...inProgress]).toMatchObject([{ kind: "worker", leftBytes: 3 }]);
  request.destroy();
  await expect.poll(() => [...inProgress]).toEqual([]);
});

it("limits the workers and the claims of a token", async () => {
  const { db } = server.context;
  const start = { host: "far", pid: 1, concurrency: 1, canDrain: true, media: MEDIA };
  const join = () => ask("/join", { ...start, id: randomUUID(), formerId: null });
  expect(await join()).toMatchObject({ status: 200 });
  const [worker] = await db.selectFrom("workers").selectAll().execute();
  const others = Array.from({ length: 999 }, (_, i) => ({ ...worker!, id: randomUUID(), name: `far-${i}` }));
  await db.insertInto("workers").values(others).execute();
  expect(await join()).toMatchObject({ status: 429, code: "too_many" });
  const beat = { ...start, id: randomUUID(), name: "far", doing: [], speed: null, pauseReasons: [], disk: null };
  const known = { isPaused: false, isDraining: false, wantedConcurrency: null };
  expect(await ask("/beat", { ...beat, known })).toMatchObject({ status: 429 });
  expect(await ask("/beat", { ...beat, id: worker!.id, known })).toMatchObject({ status: 200 });
  // Lost ones make room.
  await sql`update workers set beat_at = now() - interval '1 minute' where name = 'far-1'`.execute(db);
  expect(await join()).toMatchObject({ status: 200 });

  const { videoId } = await claim();
  const hold = sql`insert into worker_claims (video_id, token_id, retry_count)
    select gen_random_uuid(), ${own.id}, 0 from generate_series(1, 5000)`;
  await hold.execute(db);
  // Claims that have ended do not count.
  const { videoId: second } = await claim();
  expect(await db.selectFrom("worker_claims").select("video_id").execute()).toHaveLength(2);
  await hold.execute(db);
  await sql`insert into pgboss.job (id, name, state, retry_count)
    select video_id, 'videos', 'active', 0 from worker_claims where video_id not in (${videoId}, ${second})`.execute(
    db,
  );
  const job = await server.create({ worker_labels: "far" });
  expect(await ask("/claim", { links: [] })).toMatchObject({ status: 429, code: "too_many" });
  expect(await readJob(server.context, job.id)).toMatchObject({ status: "Queued" });
});

it("answers a token's waits immediately while it has too many others", async () => {
  const leaving = new AbortController();
  const wait = () => ask("/wait", { seconds: 25 }, own.token, { signal: leaving.signal });
  const waits = [wait(), wait(), wait()];
  const answered: unknown[] = [];
  for (const one of waits) void one.then((answer) => answered.push(answer)).catch(() => {});
  await expect.poll(() => answered).toMatchObject([{ status: 200, answer: null }]);
  leaving.abort();
  await Promise.allSettled(waits);
});

it("keeps what the model made for a worker that has disconnected, and asks it once", async () => {
  const { path } = await claim(own.token, { captions_enabled: true, custom_captions: ["One"], languages: ["el"] });
  openAi.behave(() => ({ kind: "gated" }));
  const wanted = { texts: ["One"], ahead: [], language: "el" };
  const leaving = new AbortController();
  const first = ask(`${path}/translate`, wanted, own.token, { signal: leaving.signal }).catch(() => null);
  await expect.poll(() => openAi.chats.length, LONG).toBe(1);
  const second = ask(`${path}/translate`, wanted);
  leaving.abort();
  expect(await first).toBeNull();
  openAi.release();
  expect(await second).toMatchObject({ status: 200, answer: { made: [["One", expect.any(String)]] } });
  expect(openAi).toMatchObject({ abandoned: 0, chats: { length: 1 } });
});
