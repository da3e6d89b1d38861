/** Two workers share one video, like a long one. Its chunks are short, because the clip is. */
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Job } from "#contract/jobs/jobs.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { type Fleet, type FleetProgram, openInstalledFleet, SHORT_CHUNKS } from "#tests/support/servers/fleet.ts";
import { makeSlowFfmpeg } from "#tests/support/media/faulty/slow-ffmpeg.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { durations, processesNaming, readDecodeErrors } from "#tests/support/media/measure.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";

/** A killed worker's task starts again after its lease of 10 s. */
const LONG_TIMEOUT = { timeout: 120_000 };
const SECONDS = 16;

const ffmpeg = await makeSlowFfmpeg(await makeScratchFolder());
let twin: DriveTwin;
let fleet: Fleet;
let client: SupabaseClient;
let database: Client;
let workers: FleetProgram[] = [];
const killed = new Set<FleetProgram>();
/** The files' checksums with one worker. */
let expected: string[];

beforeAll(async () => {
  twin = await startDriveTwin();
  fleet = await openInstalledFleet({ ...twin.environment, ...ffmpeg.environment });
  const file = path.join(fleet.folder, "long.mp4");
  await makeClip(file, { width: 180, height: 320, seconds: SECONDS });
  twin.add({ id: "long", path: file, name: "long.mp4", mimeType: "video/mp4" });
  const [server, worker] = await Promise.all([fleet.start("server"), fleet.start("worker", { script: SHORT_CHUNKS })]);
  workers = [worker];
  client = await signedInClient(server.url);
  database = new Client({ connectionString: fleet.databaseUrl });
  await database.connect();
}, 180_000);
afterEach(() => ffmpeg.hurry());
afterAll(async () => {
  await database?.end();
  await fleet?.close();
  await twin?.close();
});

function create(): Promise<Job> {
  return createJob(client, {
    input_videos: [twin.links("long")],
    variants_per_video: 2,
    captions_enabled: true,
    custom_captions: ["One", "Two"],
    platform: "shorts",
    format: "source",
  });
}

async function finish(job: Job): Promise<string[]> {
  await expect.poll(() => hasEnded(client, job.id), LONG_TIMEOUT).toBe(true);
  expect(await readJob(client, job.id)).toMatchObject({ status: "Completed", error_message: null });
  const folder = path.join(fleet.storageRoot, "outputs", job.id);
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith(".mp4")).map((name) => path.join(folder, name));
  for (const file of files) {
    expect(await readDecodeErrors(file)).toBe("");
    expect((await durations(file)).video).toBeCloseTo(SECONDS, 1);
  }
  const left = await database.query("select prefix from pending_file_deletions");
  expect([left.rows, await readdir(path.join(fleet.storageRoot, "runs", job.id)).catch(() => [])]).toEqual([[], []]);
  return (await Promise.all(files.map(sha256OfFile))).toSorted();
}

const countOf = (worker: FleetProgram, message: string) =>
  worker.output().stderr.split(`"msg":"${message}"`).length - 1;
const helpOf = (worker: FleetProgram) => countOf(worker, "encoded a run of another worker's video");

async function countTasks(): Promise<number> {
  const { rows } = await database.query<{ count: number }>("select count(*)::int from pgboss.job where name = 'runs'");
  return rows[0]!.count;
}

/** Starts killed workers again, and removes cached streams, which are those of all tests. */
async function renew(): Promise<void> {
  const running = workers.filter((worker) => !killed.has(worker));
  const missing = Array.from({ length: 2 - running.length }, () => fleet.start("worker", { script: SHORT_CHUNKS }));
  workers = [...running, ...(await Promise.all(missing))];
  for (const { dataDir } of running) {
    const cache = path.join(dataDir, "cache/streams");
    for (const entry of await readdir(cache)) await rm(path.join(cache, entry), { recursive: true });
  }
}

async function kill(worker: FleetProgram): Promise<void> {
  killed.add(worker);
  await worker.kill();
}

/** Starts a job that takes a while, and returns its worker and the one that helps, after a run of each. */
async function shareSlowly(): Promise<{ job: Job; planner: FleetProgram; helper: FleetProgram }> {
  await renew();
  await ffmpeg.slowDown(0.3);
  const before = new Map(workers.map((worker) => [worker, helpOf(worker)]));
  const job = await create();
  const hasHelped = (worker: FleetProgram) => helpOf(worker) > before.get(worker)!;
  const helper = await vi.waitUntil(() => workers.find(hasHelped), LONG_TIMEOUT);
  return { job, helper, planner: workers.find((worker) => worker !== helper)! };
}

it("shares nothing if no other worker is idle", LONG_TIMEOUT, async () => {
  expected = await finish(await create());
  expect(new Set(expected).size).toBe(2);
  expect(await countTasks()).toBe(0);
});

it("makes the same files with two workers", LONG_TIMEOUT, async () => {
  const { job, planner } = await shareSlowly();
  expect(await finish(job)).toEqual(expected);
  expect(countOf(planner, "shares a video with other workers")).toBe(1);
  expect(await readJob(client, job.id)).toMatchObject({ retry_count: 0 });
});

it("makes the same files after the helping worker is killed", LONG_TIMEOUT, async () => {
  const { job, helper } = await shareSlowly();
  await kill(helper);
  expect(await finish(job)).toEqual(expected);
  expect(await readJob(client, job.id)).toMatchObject({ retry_count: 0 });
});

it(
  "makes the same files after the video's own worker is killed, and keeps what others have encoded",
  LONG_TIMEOUT,
  async () => {
    const { job, planner, helper } = await shareSlowly();
    await kill(planner);
    expect(await finish(job)).toEqual(expected);
    expect(await readJob(client, job.id)).toMatchObject({ retry_count: 1 });
    expect(countOf(helper, "takes runs that an earlier attempt has stored")).toBe(1);
  },
);

it("stops the helping worker when the job is canceled", LONG_TIMEOUT, async () => {
  const { job, helper } = await shareSlowly();
  await ffmpeg.slowDown(30);
  const scratch = path.join(helper.dataDir, "scratch");
  await expect.poll(async () => (await processesNaming(scratch)).length, LONG_TIMEOUT).toBeGreaterThan(0);
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: job.id } });
  await expect.poll(async () => (await processesNaming(scratch)).length, { timeout: 3_000, interval: 20 }).toBe(0);
  await expect.poll(() => readdir(path.join(fleet.storageRoot, "runs", job.id)).catch(() => [])).toEqual([]);
  await expect.poll(async () => (await readJob(client, job.id)).status).toBe("Cancelled");
});
