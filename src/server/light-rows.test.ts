import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { DashboardResponse, ListJobsResponse } from "#contract/calls.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { LONG_LISTS } from "#contract/jobs/jobs.ts";
import { largestJob } from "#tests/support/jobs/largest-job.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

describe("rows of large jobs", () => {
  let server: TestServer;
  let small: Job;
  let large: Job;

  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
    large = await server.create(largestJob("Large", 1_000));
    small = await server.create({ job_name: "Small", custom_captions: ["One", "Two"], captions_enabled: true });
  });
  afterAll(() => server.close());

  const jobs = () => server.client.from("jobs");

  /** A plain request; the real client always sends a `select`. */
  async function read(query: string): Promise<{ status: number; body: unknown }> {
    const { data } = await server.client.auth.getSession();
    const headers = { authorization: `Bearer ${data.session!.access_token}` };
    const response = await fetch(`${server.url}/rest/v1/jobs?${query}`, { headers });
    return { status: response.status, body: await response.json() };
  }

  async function countVideosOfNewest(): Promise<(number | undefined)[]> {
    const { body } = await read("order=created_at.desc&limit=1");
    return (body as Job[]).map((row) => row.input_videos?.length);
  }

  function lightKeys(): string[] {
    return Object.keys(small).filter((key) => !LONG_LISTS.some((list) => list === key));
  }

  it("omit only the long lists, in the list and on the dashboard", async () => {
    const list = await server.client.functions.invoke<ListJobsResponse>("jobs?action=list", { body: {} });
    const dashboard = await server.client.functions.invoke<DashboardResponse>("jobs?action=dashboard", {
      method: "GET",
    });
    const rest = (await read("order=created_at.desc")).body as Job[];
    for (const rows of [list.data!.jobs, dashboard.data!.jobs, rest]) {
      expect(rows.map((row) => row.job_name)).toEqual(["Small", "Large"]);
      expect(rows[0]).toEqual(small);
      expect(Object.keys(rows[1]!).toSorted()).toEqual(lightKeys().toSorted());
      expect(rows[1]).toMatchObject({ total_videos: 1_000, audio_enabled: true });
    }
  });

  it("are complete by id, with * and in columns selected by name", async () => {
    expect((await jobs().select("*").eq("id", large.id).single()).data).toEqual(large);
    expect((await read(`id=eq.${large.id}`)).body).toEqual([large]);
    expect((await read(`id=in.(${large.id},${small.id})&order=created_at`)).body).toEqual([large, small]);
    expect((await jobs().select("*").order("created_at")).data).toEqual([large, small]);
    const { input_videos, id } = large;
    expect((await jobs().select("id, input_videos").order("created_at").limit(1)).data).toEqual([{ id, input_videos }]);
  });

  it("are measured again when their lists change", async () => {
    const { id } = await server.create({ job_name: "Changed" });
    const { db } = server.context;
    expect(await countVideosOfNewest()).toEqual([1]);
    await db.updateTable("jobs").set({ input_videos: large.input_videos }).where("id", "=", id).execute();
    expect(await countVideosOfNewest()).toEqual([undefined]);
    await db.updateTable("jobs").set({ input_videos: small.input_videos }).where("id", "=", id).execute();
    expect(await countVideosOfNewest()).toEqual([1]);
    await db.deleteFrom("jobs").where("id", "=", id).execute();
  });

  it("are rejected in one sentence above 8 MB, and readable with fewer columns or rows", async () => {
    const copies = sql`(select * from jobs cross join generate_series(1, 3) where id = ${large.id})`;
    const columns = sql`job_name, input_videos, captions_enabled, custom_captions, audio_enabled, custom_audio_links,
      audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio, segment_duration,
      download_enabled, total_videos`;
    const made = await sql<{ id: string }>`insert into jobs (${columns}) select ${columns} from ${copies} as copies
      returning id`.execute(server.context.db);
    const { status, error } = await jobs().select("*");
    expect([status, error]).toEqual([
      413,
      {
        code: "54000",
        message: "The response would be larger than 8 MB. Select fewer columns, or fewer rows with limit.",
        details: null,
        hint: null,
      },
    ]);
    expect((await jobs().select("*").order("created_at").limit(2)).data).toEqual([large, small]);
    const videos = await jobs().select("input_videos").eq("job_name", "Large");
    expect(videos.data).toEqual(Array.from({ length: 4 }, () => ({ input_videos: large.input_videos })));
    expect(await read("limit=9")).toMatchObject({ status: 200, body: { length: 5 } });
    const ids = made.rows.map(({ id }) => id);
    await server.context.db.deleteFrom("jobs").where("id", "in", ids).execute();
  });

  it("come in live updates without their lists, on a socket that stays open", async () => {
    const token = (await server.client.auth.getSession()).data.session!.access_token;
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/realtime/v1/websocket?vsn=2.0.0`);
    const records: Record<string, unknown>[] = [];
    let isJoined = false;
    socket.on("message", (text: Buffer) => {
      const [, , , event, payload] = JSON.parse(text.toString()) as [0, 0, 0, string, Payload];
      if (event === "system") isJoined = true;
      // Deletions, such as those of the test before, have none.
      if (event === "postgres_changes" && payload.data.record) records.push(payload.data.record);
    });
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const config = { postgres_changes: [{ event: "*", schema: "public", table: "jobs" }] };
    socket.send(JSON.stringify(["1", "1", "realtime:x", "phx_join", { config, access_token: token }]));
    await expect.poll(() => isJoined).toBe(true);

    const job = await server.create(largestJob("Live", 1_000));
    // Four of them together would exceed a socket's buffer limit.
    for (const id of [job.id, large.id, small.id]) {
      await server.context.db.updateTable("jobs").set({ progress: 7 }).where("id", "=", id).execute();
    }
    const updated = (id: string) => records.find((record) => record.id === id && record.progress === 7);
    await expect.poll(() => updated(small.id)).toMatchObject({ custom_captions: ["One", "Two"] });
    await expect.poll(() => updated(large.id) && updated(job.id)).toBeDefined();
    for (const record of records.filter(({ id }) => id !== small.id)) {
      expect(Object.keys(record).toSorted()).toEqual(lightKeys().toSorted());
    }
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.close();
    await server.context.db.deleteFrom("jobs").where("id", "=", job.id).execute();
  });
});

type Payload = { data: { record?: Record<string, unknown> } };
