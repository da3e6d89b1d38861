/** Health, readiness, and metrics after a real job. */
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { runProgramToItsEnd } from "#tests/support/servers/clipmill-process.ts";
import { rowsOf } from "#tests/support/faults/fault-job.ts";
import { type Fleet, type FleetProgram, openInstalledFleet } from "#tests/support/servers/fleet.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";

/** Starting whole programs is slow on a busy machine. */
const LONG_TIMEOUT = { timeout: 120_000 };
const TOKEN = "a token for the metrics";

let fleet: Fleet;
let twin: DriveTwin;
let worker: FleetProgram;
let client: SupabaseClient;

beforeAll(async () => {
  twin = await startDriveTwin();
  fleet = await openInstalledFleet(twin.environment);
  const environment = { METRICS_PORT: "0", METRICS_TOKEN: TOKEN };
  const [server, started] = await Promise.all([fleet.start("server"), fleet.start("worker", { environment })]);
  worker = started;
  client = await signedInClient(server.url);
}, 180_000);
afterAll(async () => {
  await fleet?.close();
  await twin?.close();
});

async function ask(address: string, token?: string): Promise<{ status: number; text: string }> {
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(worker.url + address, { headers });
  return { status: response.status, text: await response.text() };
}

async function readReady(): Promise<Record<string, unknown>> {
  const { status, text } = await ask("/ready");
  return { status, body: JSON.parse(text) as unknown };
}

async function readFigures(): Promise<Map<string, number>> {
  const { status, text } = await ask("/metrics", TOKEN);
  expect(status).toBe(200);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

const ready = { status: "ready", database: true, claiming: true, pauseReasons: [], disk: expect.any(String) };

it("counts outputs and failed attempts of a job, and returns metrics only with the token", LONG_TIMEOUT, async () => {
  const file = path.join(fleet.folder, "clip.mp4");
  await makeClip(file, { width: 216, height: 384, seconds: 2 });
  twin.add({ id: "clip", path: file, name: "clip.mp4", mimeType: "video/mp4" });
  const job = await createJob(client, {
    input_videos: [twin.links("clip"), "nonsense"],
    variants_per_video: 2,
    captions_enabled: true,
    custom_captions: ["One", "Two"],
  });
  await expect.poll(() => hasEnded(client, job.id), LONG_TIMEOUT).toBe(true);
  expect((await readJob(client, job.id)).status).toBe("Completed");
  const outputs = await rowsOf<JobOutput>(client, "job_outputs", job.id);
  const stored = outputs.filter((output) => output.status === "Completed");
  expect(stored).toHaveLength(2);

  const bytes = stored.reduce((sum, output) => sum + output.size_bytes!, 0);
  const counted = {
    'clipmill_videos_ended_total{result="Completed"}': 1,
    'clipmill_videos_ended_total{result="Failed"}': 1,
    'clipmill_videos_ended_total{result="Cancelled"}': 0,
    'clipmill_attempts_failed_total{reason="bad_link"}': 1,
    clipmill_outputs_stored_total: 2,
    clipmill_output_bytes_stored_total: bytes,
  };
  // The job is marked as ended shortly before its last video is counted.
  await expect.poll(async () => Object.fromEntries(await readFigures())).toMatchObject(counted);
  const figures = await readFigures();
  expect(figures.get("clipmill_output_media_seconds_total")).toBeCloseTo(4, 0);
  expect(figures.get("clipmill_render_seconds_total")).toBeGreaterThan(0);
  expect(figures.get("process_resident_memory_bytes")).toBeGreaterThan(1e7);
  // Queue metrics cover the whole fleet; servers return them.
  expect([...figures.keys()].filter((name) => name.startsWith("clipmill_queue"))).toEqual([]);

  for (const wrong of [undefined, `${TOKEN}x`]) {
    const { status, text } = await ask("/metrics", wrong);
    expect([status, text.includes("clipmill_")]).toEqual([401, false]);
  }
  expect((await ask("/functions/v1/jobs")).status).toBe(404);
});

it("stays ready while the queue is paused and reports the reason", LONG_TIMEOUT, async () => {
  expect(await ask("/health")).toEqual({ status: 200, text: '{"status":"ok"}' });
  expect(await readReady()).toEqual({ status: 200, body: ready });
  await client.functions.invoke("system", { body: { action: "pause-queue" } });
  const paused = { ...ready, claiming: false, pauseReasons: ["queue-paused"] };
  await expect.poll(readReady, { timeout: 10_000 }).toEqual({ status: 200, body: paused });
  await client.functions.invoke("system", { body: { action: "resume-queue" } });
  await expect.poll(readReady, { timeout: 10_000 }).toEqual({ status: 200, body: ready });
});

it("names the port in use and claims no video", LONG_TIMEOUT, async () => {
  const { port } = new URL(worker.url);
  const environment = { ...fleet.environment, METRICS_PORT: port };
  const { code, stderr } = await runProgramToItsEnd("worker", path.join(fleet.folder, "second"), environment);
  const sentence = `Port ${port} on 127.0.0.1 is in use by another program; set METRICS_PORT to another one.`;
  expect([code, stderr.trim().split("\n").at(-1)]).toEqual([1, sentence]);
  expect(stderr).not.toContain("the worker joined the fleet");
});

it("is not ready while the database is down, still returns metrics, and recovers", LONG_TIMEOUT, async () => {
  await fleet.haltDatabase();
  const away = { ...ready, status: "not ready", database: false, claiming: false };
  await expect
    .poll(readReady, { timeout: 30_000 })
    .toEqual({ status: 503, body: { ...away, pauseReasons: expect.any(Array) } });
  expect((await readFigures()).get("clipmill_outputs_stored_total")).toBe(2);
  expect((await ask("/health")).status).toBe(200);
  await fleet.resumeDatabase();
  await expect.poll(readReady, { timeout: 60_000 }).toEqual({ status: 200, body: ready });
});
