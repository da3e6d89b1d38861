import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditResponse, JobResponse } from "#contract/calls.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
const ACTIONS = ["bump", "hold", "release"] as const;

describe("the actions bump, hold and release", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  });
  afterAll(() => server.close());

  async function call(action: string, jobId: string): Promise<{ status: number; data: unknown }> {
    const { data, error } = await server.client.functions.invoke<JobResponse>("jobs", { body: { action, jobId } });
    if (!error) return { status: 200, data: data!.data };
    if (!(error instanceof FunctionsHttpError)) throw error;
    const response = error.context as Response;
    return { status: response.status, data: await response.json() };
  }
  const row = async (job: Job) => {
    const columns = "queue_position,held_at,waiting_videos";
    const { data } = await server.client.from("jobs").select(columns).eq("id", job.id).single();
    return data;
  };

  it("return the job's new state, same as its row, and are recorded", async () => {
    const [first, second] = [await server.create(), await server.create()];
    const waits = { held_at: null, waiting_videos: 1 };
    expect(await call("bump", second.id)).toMatchObject({ status: 200, data: { id: second.id, queue_position: 1 } });
    expect(await row(first)).toEqual({ queue_position: 2, ...waits });
    const held = await call("hold", second.id);
    expect(held).toMatchObject({ status: 200, data: { held_at: expect.any(String), queue_position: null } });
    expect(await row(second)).toMatchObject({ queue_position: null, held_at: (held.data as Job).held_at });
    expect(await row(first)).toEqual({ queue_position: 1, ...waits });
    expect((await call("bump", second.id)).status).toBe(409);
    expect(await call("release", second.id)).toMatchObject({ status: 200, data: { held_at: null, queue_position: 1 } });

    const { data } = await server.client.functions.invoke<AuditResponse>("audit?limit=3", { method: "GET" });
    expect(data!.data.map(({ action, subject }) => [action, subject])).toEqual(
      ["job.release", "job.hold", "job.bump"].map((action) => [action, second.id]),
    );
  });

  it.each(ACTIONS)("do not %s ineligible jobs", async (action) => {
    const job = await server.create();
    await cancelJob(server.context, job.id);
    expect(await call(action, job.id)).toMatchObject({ status: 409, data: { error: "The job has already finished." } });
    expect(await call(action, UNKNOWN_ID)).toMatchObject({ status: 404, data: { error: "The job does not exist." } });
    const noId = { status: 400, data: { error: "The job ID is missing or not valid." } };
    expect(await call(action, "x")).toMatchObject(noId);
  });
});
