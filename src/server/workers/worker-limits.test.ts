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

let server: TestServer;
let own: { id: string; token: string };

const { ask, claim } = createTokenRequests(() => ({ server, token: own.token }));

beforeAll(async () => {
  server = await startTestServer(undefined, { openStorage: openTestFolderStorage });
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
