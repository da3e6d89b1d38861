import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Job, JobVideo } from "#contract/jobs.ts";
import { startTestServer, type TestServer } from "#tests/support/server.ts";

const LINKS = ["a", "b", "c"].map((id) => `https://drive.google.com/file/d/${id}/view`);
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
let server: TestServer;
let job: Job;

beforeAll(async () => {
  server = await startTestServer();
  job = await server.create({ job_name: "Three", input_videos: LINKS });
  await server.create({ job_name: "Other" });
});
afterAll(() => server.close());

describe("reading tables", () => {
  it("reads one job with all its fields", async () => {
    const { data, error } = await server.client.from("jobs").select("*").eq("id", job.id).single<Job>();
    expect(error).toBeNull();
    expect(data).toEqual(job);
    expect(data).not.toHaveProperty("created_by");
  });

  it("refuses a single row where there is none", async () => {
    const { data, error, status } = await server.client.from("jobs").select().eq("id", UNKNOWN_ID).single();
    expect([status, data]).toEqual([406, null]);
    expect(error).toMatchObject({ code: "PGRST116", details: "The result contains 0 rows" });
    expect((await server.client.from("jobs").select().eq("id", UNKNOWN_ID).maybeSingle()).error).toBeNull();
  });

  it("reads a job's videos in order, in part, and only the columns asked for", async () => {
    const videos = server.client.from("job_videos").select("*").eq("job_id", job.id);
    const { data } = await videos.order("position", { ascending: false });
    expect((data as JobVideo[]).map((video) => video.link)).toEqual(LINKS.toReversed());
    const { data: part } = await server.client
      .from("job_videos")
      .select("position, status")
      .eq("job_id", job.id)
      .in("status", ["Queued", "Failed"])
      .order("position")
      .range(1, 2);
    expect(part).toEqual([
      { position: 1, status: "Queued" },
      { position: 2, status: "Queued" },
    ]);
  });

  it("leaves out by neq, and finds nothing in an empty list", async () => {
    const { data } = await server.client.from("jobs").select("job_name").neq("id", job.id);
    expect(data).toEqual([{ job_name: "Other" }]);
    expect((await server.client.from("jobs").select().in("id", [])).data).toEqual([]);
  });

  it("takes a value as a value", async () => {
    const { data, error } = await server.client.from("jobs").select("id").eq("status", "Queued' or '1'='1");
    expect([data, error]).toEqual([[], null]);
    const odd = await server.client.from("jobs").select("id").eq("id", "' or 1=1 --");
    expect(odd.error).toMatchObject({ code: "22P02" });
  });
});

describe("the allow-list", () => {
  it.each(["accounts", "sessions", "settings", "pgboss.job", "constructor"])("has no table %s", async (table) => {
    const { error, status } = await server.client.from(table).select();
    expect(status).toBe(404);
    expect(error).toMatchObject({ code: "PGRST205" });
  });

  it("has no other columns, orders or operators", async () => {
    const from = () => server.client.from("jobs").select();
    expect((await server.client.from("jobs").select("created_by")).error).toMatchObject({ code: "42703" });
    expect((await from().eq("created_by", job.id)).error).toMatchObject({ code: "42703" });
    expect((await from().order("created_by")).error).toMatchObject({ code: "42703" });
    expect((await from().gt("id", job.id)).error).toMatchObject({ code: "PGRST100" });
  });

  it("takes no writing", async () => {
    const { error, status } = await server.client.from("jobs").update({ status: "Completed" }).eq("id", job.id);
    expect(status).toBe(403);
    expect(error).toMatchObject({ code: "42501" });
    expect((await server.client.from("jobs").delete().eq("id", job.id)).status).toBe(403);
  });

  it("lets nobody read without a session", async () => {
    const { error, status } = await server.newClient().from("jobs").select();
    expect(status).toBe(401);
    expect(error).toMatchObject({ code: "PGRST301", message: "Please sign in first." });
  });
});
