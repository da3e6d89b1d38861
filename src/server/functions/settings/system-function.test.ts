import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ClaimingResponse, SystemResponse } from "#contract/settings/system.ts";
import { registerWorker } from "#operations/fleet/register-worker.ts";
import { VERSION } from "#operations/fleet/list-workers.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

describe("the function system", () => {
  let server: TestServer;
  let token: string;
  let workerId: string;

  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
    token = (await server.client.auth.getSession()).data.session!.access_token;
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    workerId = randomUUID();
    await server.context.db.deleteFrom("workers").execute();
    await start(workerId);
  });

  function start(id: string, { host = "studio", canDrain = true } = {}): Promise<string> {
    const worker = {
      id,
      host,
      version: "0.0.9",
      media: { ffmpeg: "7.0", origin: "bundled" as const, missingLimits: [] },
      pid: 7,
      concurrency: 2,
      canDrain,
      labels: ["eu", "gpu"],
    };
    return registerWorker(server.context, worker, { isAlone: false });
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller knows its response
  async function call<Result = SystemResponse>(query = "", order?: object): Promise<{ status: number; body: Result }> {
    const response = await fetch(`${server.url}/functions/v1/system${query}`, {
      method: order ? "POST" : "GET",
      headers: { authorization: `Bearer ${token}` },
      ...(order && { body: JSON.stringify(order) }),
    });
    return { status: response.status, body: (await response.json()) as Result };
  }

  const tell = (order: object) => call<SystemResponse & { error: string }>("", order);

  it("returns the workers, the queue, and the kinds of database and storage", async () => {
    await server.create();
    const { status, body } = await call();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      workers: [
        {
          id: workerId,
          name: "studio",
          version: "0.0.9",
          concurrency: 2,
          canDrain: true,
          labels: ["eu", "gpu"],
          isLost: false,
        },
      ],
      queue: { isPaused: false, pausedAt: null, pausedBy: null, waiting: 1, held: 0, postponed: 0, active: 0 },
      version: VERSION,
      database: "postgresql",
      storage: "folder",
    });
    expect(body.queue.oldestWaitingSeconds).toBeGreaterThan(0);
    expect(body.hosts).toEqual([]);
    const claiming = await call<ClaimingResponse>("?part=claiming");
    expect(claiming.body).toEqual({ isPaused: false, pausedAt: null, pausedBy: null, workers: 1, takingWorkers: 1 });
  });

  it("reports which outside services are unavailable, since when, and how many videos wait", async () => {
    const { db } = server.context;
    const job = await server.create();
    const since = "2026-11-21T10:00:00.000Z";
    const rest = { cooling_since: since, cools_until: "2026-11-21T10:05:00.000Z", cooldown_seconds: 300 };
    await db
      .insertInto("hosts")
      .values({
        host: "google-drive",
        failures: 5,
        failed_at: since,
        reason: "Google Drive is not available.",
        ...rest,
      })
      .execute();
    await db
      .updateTable("job_videos")
      .set({ waits_for: "google-drive", waiting_since: since })
      .where("job_id", "=", job.id)
      .execute();
    expect((await call()).body.hosts).toEqual([
      {
        host: "google-drive",
        reason: "Google Drive is not available.",
        since,
        nextTryAt: "2026-11-21T10:05:00.000Z",
        waitingVideos: 1,
      },
    ]);
    await db.deleteFrom("hosts").execute();
  });

  it("controls a worker, and returns the new state", async () => {
    expect((await tell({ action: "pause-worker", workerId })).body.workers[0]).toMatchObject({ isPaused: true });
    expect((await tell({ action: "drain-worker", workerId })).body.workers[0]).toMatchObject({ isDraining: true });
    expect((await tell({ action: "resume-worker", workerId })).body.workers[0]).toMatchObject({
      isPaused: false,
      isDraining: false,
    });
    const resized = await tell({ action: "set-concurrency", workerId, concurrency: 64 });
    expect(resized.body.workers[0]).toMatchObject({ concurrency: 2, wantedConcurrency: 64 });
    await sql`update workers set beat_at = now() - interval '1 minute'`.execute(server.database.db);
    expect((await call()).body.workers[0]).toMatchObject({ isLost: true });
    expect((await tell({ action: "forget-worker", workerId })).body.workers).toEqual([]);
  });

  it("pauses the queue and reports by whom", async () => {
    const paused = { isPaused: true, pausedBy: TEST_ACCOUNT.email, pausedAt: expect.any(String) };
    expect((await tell({ action: "pause-queue" })).body.queue).toMatchObject(paused);
    expect((await call<ClaimingResponse>("?part=claiming")).body).toMatchObject(paused);
    expect((await tell({ action: "resume-queue" })).body.queue).toMatchObject({ isPaused: false, pausedBy: null });
  });

  it("rejects invalid requests in one sentence", async () => {
    const concurrency = "The concurrency must be a whole number from 1 to 64.";
    const noId = "The worker ID is missing or not valid.";
    const noAction = "Unknown action.";
    const set = { action: "set-concurrency", workerId };
    for (const [order, sentence] of [
      [{}, noAction],
      [{ action: "stop-everything" }, noAction],
      [{ action: "pause-worker" }, noId],
      [{ action: "pause-worker", workerId: "studio" }, noId],
      ...[0, 65, 1.5, "3", null, undefined].map((wrong) => [{ ...set, concurrency: wrong }, concurrency] as const),
    ] as const) {
      expect([order, await tell(order)]).toMatchObject([order, { status: 400, body: { error: sentence } }]);
    }
    expect(await tell({ action: "pause-worker", workerId: randomUUID() })).toMatchObject({
      status: 404,
      body: { error: "This worker is no longer running." },
    });
    const builtIn = randomUUID();
    await start(builtIn, { host: "back-office", canDrain: false });
    expect(await tell({ action: "drain-worker", workerId: builtIn })).toMatchObject({
      status: 409,
      body: {
        error: expect.stringMatching(/^This worker runs inside the server and can.t be drained\. Pause it instead/),
      },
    });
    expect((await call("?part=some")).status).toBe(400);
  });
});
