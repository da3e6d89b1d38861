/** A worker with a valid token that misbehaves. */
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startCancelling } from "#operations/jobs/cancel-job.ts";
import { readJob } from "#operations/jobs/read/read-job.ts";
import { saveServiceKey } from "#operations/settings/service-key.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { openTestFolderStorage } from "#tests/support/servers/storages.ts";
import { createTokenRequests } from "#tests/support/servers/by-token/token-requests.ts";
import { createWorkerToken } from "#tests/support/servers/by-token/worker-by-token.ts";

/** Nothing listens on this port. */
const NOWHERE = "127.0.0.1:9";

let server: TestServer;
let own: { id: string; token: string };

const { ask, read, claim } = createTokenRequests(() => ({ server, token: own.token }));

beforeAll(async () => {
  const hosts = { privateSources: [NOWHERE] };
  server = await startTestServer(undefined, { openStorage: openTestFolderStorage, hosts });
});
beforeEach(async () => {
  for (const table of ["jobs", "workers"] as const) await server.context.db.deleteFrom(table).execute();
  await sql`delete from pgboss.job`.execute(server.context.db);
  own = await createWorkerToken(server.context, ["far"]);
});
afterAll(() => server.close());

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
