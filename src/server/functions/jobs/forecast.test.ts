import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { MeasuredWorkResponse } from "#contract/calls.ts";
import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import type { JobTableResponse } from "#contract/table/job-table.ts";
import { completeJob } from "#tests/support/jobs/completed-job.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { baseUrlsOf } from "#tests/support/test-context.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";

let twin: DriveTwin;
let server: TestServer;
const links: string[] = [];

beforeAll(async () => {
  twin = await startDriveTwin();
  server = await startTestServer(undefined, { hosts: { baseUrls: baseUrlsOf(twin.url) } });
  for (const seconds of [1, 2]) {
    const [id, file] = [`clip-${seconds}`, path.join(server.folder, `clip-${seconds}.mp4`)];
    await makeClip(file, { width: 180, height: 320, seconds });
    twin.add({ id, name: `${id}.mp4`, mimeType: "video/mp4", bytes: await readFile(file) });
    links.push(twin.links(id));
  }
});
afterAll(async () => {
  await server.close();
  await twin.close();
});

async function check(csv: string, settings: Record<string, unknown> = {}): Promise<JobTableResponse> {
  const body = { csv, settings, dry_run: true, forecast: true };
  for (;;) {
    const { data, error } = await server.client.functions.invoke<JobTableResponse>("job-table", { body });
    if (error) throw error;
    if (!data!.forecast?.pending_links) return data!;
  }
}

async function measured(): Promise<MeasuredWorkResponse["data"]> {
  const body = { action: "measured-work" };
  const { data, error } = await server.client.functions.invoke<MeasuredWorkResponse>("jobs", { body });
  if (error) throw error;
  return data!.data;
}

it("forecasts length, size and time of a table's files from its videos and the newest completed job", async () => {
  const csv = `link,end_seconds\n${links[0]},\n${links[1]},1.5\n`;
  const captions = ["One", "Two", "Three"];
  const { data: set } = await server.client
    .from("caption_sets")
    .insert({ name: "Three", captions })
    .select("id")
    .single();
  const settings = { variants_per_video: 4, captions_enabled: true, caption_set_id: set!.id as string };
  expect(await measured()).toBeNull();
  // Of four files with three captions, one is a copy.
  const unmeasured = { files: 8, different_files: 6, seconds: null, size_bytes: null, pending_links: 0 };
  const { forecast } = await check(csv, settings);
  expect(forecast).toMatchObject(unmeasured);
  expect(forecast!.output_seconds).toBeCloseTo(4 * (1 + 1.5), 1);

  // Four seconds of work for two seconds of output.
  const { id } = await completeJob(server.context, server.folder, { sizes: [50_000, 50_000] });
  const { db } = server.context;
  await db
    .updateTable("job_videos")
    .set({ duration_seconds: 1, started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:00:04Z" })
    .where("job_id", "=", id)
    .execute();
  await db.updateTable("job_outputs").set({ duration_seconds: 1 }).where("job_id", "=", id).execute();
  const speed = await measured();
  expect(speed).toMatchObject({ encodes: 1, bytesPerSecond: 50_000 });
  const after = (await check(csv, settings)).forecast!;
  expect(after.size_bytes).toBeCloseTo(after.output_seconds! * 50_000, 0);
  const more = (await check(csv, { ...settings, quality: "high" })).forecast!;
  expect(after.seconds).toBeGreaterThan(0);
  expect(more.seconds).toBeGreaterThan(1.5 * after.seconds!);
});

it("forecasts nothing for a video that cannot be read, a table with problems, and without being asked", async () => {
  const missing = twin.links("missing");
  expect((await check(`link\n${missing}\n`)).forecast).toMatchObject({ output_seconds: null, seconds: null });
  const bad = await check(`link,end_seconds\n${links[0]},soon\n`);
  expect(bad.problems).toHaveLength(1);
  expect(bad).not.toHaveProperty("forecast");
  const body = { csv: `link\n${links[0]}\n`, dry_run: true };
  const { data } = await server.client.functions.invoke<JobTableResponse>("job-table", { body });
  expect(data).not.toHaveProperty("forecast");
  expect(JOB_DEFAULTS.variants_per_video).toBe(data!.plan.files);
});

it("rejects a set that does not exist with a sentence", async () => {
  const settings = { captions_enabled: true, caption_set_id: "00000000-0000-4000-8000-000000000000" };
  await expect(check(`link\n${links[0]}\n`, settings)).rejects.toMatchObject({ context: { status: 400 } });
});
