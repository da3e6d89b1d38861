/** Starts two servers and three workers on one PostgreSQL, as an operator does. */
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { createClient, type RealtimePostgresChangesPayload, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { LibraryResponse, PreviewResponse } from "#contract/calls.ts";
import type { PublishResult } from "#contract/cloak/cloak.ts";
import { isFinal, type Job, type JobOutput } from "#contract/jobs/jobs.ts";
import type { FleetWorker } from "#contract/settings/system.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { type Fleet, type FleetProgram, openFleet } from "#tests/support/servers/fleet.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { type ClipOptions, makeClip } from "#tests/support/media/make-clip.ts";
import { processesNaming } from "#tests/support/media/measure.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { makeSlowFfmpeg } from "#tests/support/media/faulty/slow-ffmpeg.ts";

/** Starting whole programs is slow on a busy machine. */
const LONG_TIMEOUT = { timeout: 120_000 };

const ffmpeg = await makeSlowFfmpeg(await makeScratchFolder());
let fleet: Fleet;
let twin: DriveTwin;
let servers: FleetProgram[];
let workers: FleetProgram[];
/** Signed in on the first server. */
let client: SupabaseClient;
let elsewhere: SupabaseClient;

beforeAll(async () => {
  twin = await startDriveTwin();
  fleet = await openFleet({
    ...twin.environment,
    ...ffmpeg.environment,
  });
  const start = (kind: "server" | "worker", amount: number) =>
    Promise.all(Array.from({ length: amount }, () => fleet.start(kind)));
  // All start at the same time on an empty database.
  const started = await Promise.all([start("server", 2), start("worker", 3)]);
  servers = started[0];
  workers = started[1];
  client = await signedInClient(servers[0]!.url);
  const { data } = await client.auth.getSession();
  elsewhere = createClient(servers[1]!.url, "any key", { auth: { persistSession: false, autoRefreshToken: false } });
  const { error } = await elsewhere.auth.setSession(data.session!);
  if (error) throw error;
}, 180_000);
afterEach(() => ffmpeg.hurry());
afterAll(async () => {
  await elsewhere?.removeAllChannels();
  await fleet?.close();
  await twin?.close();
});

/** Returns the link. */
async function share(id: string, clip: ClipOptions = {}): Promise<string> {
  const file = path.join(fleet.folder, `${id}.mp4`);
  await makeClip(file, { width: 216, height: 384, seconds: 2, ...clip });
  twin.add({ id, path: file, name: `${id}.mp4`, mimeType: "video/mp4" });
  return twin.links(id);
}

/** Stays slow until `ffmpeg.hurry()`. */
async function createLongJob(id: string): Promise<Job> {
  await ffmpeg.slowDown(30);
  return createJob(client, { input_videos: [await share(id)], captions_enabled: true, custom_captions: [id] });
}

async function call<Result>(on: SupabaseClient, name: string, body: object): Promise<Result> {
  const { data, error } = await on.functions.invoke<Result>(name, { body });
  if (error) throw error;
  return data!;
}

function readLibrary(on: SupabaseClient): Promise<LibraryResponse> {
  return call(on, "library", { method: "GET" });
}

/** Asks the first server. */
async function readWorkers(): Promise<FleetWorker[]> {
  const { data, error } = await client.functions.invoke<{ workers: FleetWorker[] }>("system", { method: "GET" });
  if (error) throw error;
  return data!.workers;
}

async function findBusy(): Promise<FleetProgram | undefined> {
  for (const worker of workers) {
    if ((await processesNaming(path.join(worker.dataDir, "scratch"))).length > 0) return worker;
  }
  return undefined;
}

async function findEncoding(): Promise<FleetProgram | undefined> {
  const encoders = await processesNaming("libx264");
  for (const worker of workers) {
    const own = await processesNaming(path.join(worker.dataDir, "scratch"));
    if (own.some((pid) => encoders.includes(pid))) return worker;
  }
  return undefined;
}

it(
  "creates one first account and one set of samples when several servers start at the same time",
  LONG_TIMEOUT,
  async () => {
    expect(servers.filter((server) => server.output().stdout.includes("Sign in as "))).toHaveLength(1);
    await expect.poll(async () => (await readLibrary(client)).isReady, LONG_TIMEOUT).toBe(true);
    const samples = (await readLibrary(client)).data.filter((file) => file.isSample).map((file) => file.name);
    expect(samples).not.toEqual([]);
    expect(new Set(samples).size).toBe(samples.length);
    expect(await readdir(path.join(fleet.storageRoot, "library"))).toHaveLength(samples.length);
  },
);

it("distributes a job's videos over all workers and renders each output once", LONG_TIMEOUT, async () => {
  const names = Array.from({ length: 9 }, (_, i) => `clip-${i}`);
  // All outputs differ; identical files would share one in storage.
  const links = await Promise.all(names.map((id, i) => share(id, { toneHz: 300 + 50 * i })));
  const captions = { captions_enabled: true, custom_captions: ["One", "Two"] };
  const job = await createJob(client, { input_videos: links, variants_per_video: 2, ...captions });
  await expect.poll(() => hasEnded(client, job.id), LONG_TIMEOUT).toBe(true);
  expect(await readJob(client, job.id)).toMatchObject({ status: "Completed", error_message: null });
  const { data } = await client.from("job_outputs").select("*").eq("job_id", job.id);
  const expected = names.flatMap((id, i) => [1, 2].map((variant) => `00${i + 1}-v${variant}-${id}.mp4`));
  expect((data as JobOutput[]).map((output) => output.name).toSorted()).toEqual(expected);
  const stored = await readdir(path.join(fleet.storageRoot, "outputs", job.id));
  expect(stored.toSorted()).toEqual(expected);
  const videos = workers.map((worker) => videosOf(worker, job.id));
  expect(videos.flat()).toHaveLength(names.length);
  for (const own of videos) expect(own).not.toEqual([]);
});

it("shows changes made on another server live and serves its files", LONG_TIMEOUT, async () => {
  const changes: RealtimePostgresChangesPayload<Job>[] = [];
  const states: string[] = [];
  elsewhere
    .channel("jobs")
    .on("postgres_changes", { event: "*", schema: "public", table: "jobs" }, (change) => {
      changes.push(change as RealtimePostgresChangesPayload<Job>);
    })
    .subscribe((state) => states.push(state));
  await expect.poll(() => states).toContain("SUBSCRIBED");
  const job = await createJob(client, { input_videos: [await share("live")] });
  await expect.poll(() => changes.at(-1)?.new, { timeout: 60_000 }).toMatchObject({ id: job.id, status: "Completed" });
  expect(changes[0]).toMatchObject({ eventType: "INSERT", new: { id: job.id } });
  const { download_url: link } = await readJob(client, job.id);
  const zip = await fetch(new URL(link!, servers[1]!.url));
  expect([zip.status, zip.headers.get("content-length")]).toEqual([200, String((await zip.arrayBuffer()).byteLength)]);
});

it(
  "cancels within two seconds a video that runs on a worker with a different data directory",
  LONG_TIMEOUT,
  async () => {
    const job = await createLongJob("cancelled");
    await expect.poll(findEncoding, LONG_TIMEOUT).toBeDefined();
    const cancelledAt = performance.now();
    expect(await call(elsewhere, "vps-integration/cancel", { jobId: job.id })).toEqual({ success: true });
    await expect.poll(findBusy, { timeout: 2_000, interval: 20 }).toBeUndefined();
    expect(performance.now() - cancelledAt).toBeLessThan(2_000);
    expect((await readJob(client, job.id)).status).toBe("Cancelled");
    for (const { dataDir } of workers) expect(await readdir(path.join(dataDir, "scratch")).catch(() => [])).toEqual([]);
  },
);

it("hands over the video of a stopped worker without counting an attempt", LONG_TIMEOUT, async () => {
  const job = await createLongJob("handed-back");
  const busy = await vi.waitUntil(findEncoding, LONG_TIMEOUT);
  expect(await busy.stop()).toBe(0);
  await ffmpeg.hurry();
  await expect.poll(async () => isFinal((await readJob(client, job.id)).status), LONG_TIMEOUT).toBe(true);
  expect(await readJob(client, job.id)).toMatchObject({ status: "Completed", retry_count: 0 });
  workers = [...workers.filter((worker) => worker !== busy), await fleet.start("worker", { dataDir: busy.dataDir })];
});

it("exits a drained worker once it is idle", LONG_TIMEOUT, async () => {
  const drained = await fleet.start("worker");
  const worker = (await readWorkers()).find(({ pid }) => pid === drained.pid)!;
  await call(elsewhere, "system", { action: "drain-worker", workerId: worker.id });
  expect(await drained.ended()).toBe(0);
  expect((await readWorkers()).map(({ pid }) => pid)).not.toContain(drained.pid);
});

it("gives a killed worker the same name after its restart, beside others on the same host", LONG_TIMEOUT, async () => {
  const nameOf = async ({ pid }: FleetProgram) => (await readWorkers()).find((worker) => worker.pid === pid)?.name;
  const before = await Promise.all(workers.map(nameOf));
  expect(new Set(before).size).toBe(workers.length);
  const killed = workers[1]!;
  await killed.kill();
  workers[1] = await fleet.start("worker", { dataDir: killed.dataDir });
  expect(await Promise.all(workers.map(nameOf))).toEqual(before);
  const listed = await readWorkers();
  expect(listed.filter(({ isLost }) => isLost)).toEqual([]);
  expect(listed).toHaveLength(workers.length);
});

it("completes an upload while another server starts, and lists it on all servers", LONG_TIMEOUT, async () => {
  await makeClip(path.join(fleet.folder, "upload.mp4"), { seconds: 1 });
  const bytes = await readFile(path.join(fleet.folder, "upload.mp4"));
  const token = (await client.auth.getSession()).data.session!.access_token;
  const request = http.request(`${servers[0]!.url}/uploads?name=upload.mp4`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-length": bytes.length },
  });
  request.write(bytes.subarray(0, 1_000));
  await expect.poll(() => readdir(path.join(servers[0]!.dataDir, "uploads"))).toHaveLength(1);
  const third = await fleet.start("server");
  request.end(bytes.subarray(1_000));
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  expect(response.statusCode).toBe(200);
  const { data } = await readLibrary(elsewhere);
  expect(data.map(({ name }) => name)).toContain("upload.mp4");
  expect(await third.stop()).toBe(0);
});

it("renders previews on every server", LONG_TIMEOUT, async () => {
  const input = { input_video: await share("previewed"), caption: "Look" };
  for (const on of [client, elsewhere]) {
    expect(await call<PreviewResponse>(on, "preview", input)).toMatchObject({
      isOnVideo: true,
      width: 216,
      height: 384,
    });
  }
});

it("reports the missing settings instead of publishing without a named redirector", async () => {
  expect(await call<PublishResult>(client, "cloak-publisher", {})).toMatchObject({
    success: false,
    error: expect.stringContaining("Set VPS_SYNC_URL and VPS_PUBLISH_TOKEN in the server environment"),
  });
});

it("signs out on all servers at the same time", async () => {
  const { error } = await client.auth.signOut({ scope: "global" });
  expect(error).toBeNull();
  const { error: rejection } = await elsewhere.auth.refreshSession();
  expect(rejection?.status).toBe(400);
  const { data } = await elsewhere.auth.getUser();
  expect(data.user).toBeNull();
});

function videosOf(worker: FleetProgram, jobId: string): string[] {
  const lines = worker
    .output()
    .stderr.split("\n")
    .filter((line) => line.startsWith("{"));
  const entries = lines.map((line) => JSON.parse(line) as { jobId?: string; videoId?: string; msg?: string });
  return entries.flatMap((line) => (line.jobId === jobId && line.msg === "video completed" ? [line.videoId!] : []));
}
