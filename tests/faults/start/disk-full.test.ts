import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect } from "vitest";
import type { Job } from "#contract/jobs/jobs.ts";
import { readJobVideos } from "#operations/jobs/read/read-job.ts";
import { openFolderStorage } from "#storage/open-storage.ts";
import { DATABASE_FOLDER } from "#database/open-database.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { openFaultJobs, requireIntact, rowsOf } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { type FullDisk, openFullDisk, diskMountProblem } from "#tests/support/faults/machine/full-disk.ts";
import { copyInstallation } from "#tests/support/servers/installed-clipmill.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { durations, readDecodeErrors } from "#tests/support/media/measure.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import type { OpenTestStorage, TestStorage } from "#tests/support/servers/storages.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

const ROUNDS = { short: 1, full: 5 };
const VARIANTS = 2;
/** Long and noisy enough that a test can act in mid-render. */
const CLIP = { width: 216, height: 384, seconds: 4, picture: "testsrc2=s=216x384:r=30:d=4,noise=alls=60:allf=t" };
const OWN_WAITS = { no_space: { first: 2, longest: 4 } };
/** Rendering needs 256 MB of free space. */
const SCRATCH_MEGABYTES = 400;
const STORAGE_MEGABYTES = 64;
const DATABASE_MEGABYTES = 300;
/** PostgreSQL creates its log in files of this size. */
const SEGMENT_BYTES = 4 * 1024 ** 2;
/** About 2 KB each. */
const CAPTIONS = 20;
/** Fills megabytes with few requests, which take milliseconds each. */
const MANY_CAPTIONS = 200;

const skip = diskMountProblem();
const folder = await makeScratchFolder();
const clip = path.join(folder, "clip.mp4");
if (!skip) await makeClip(clip, CLIP);

type Moment = "before the download ends" | "in mid-render" | "before the job";
const MOMENTS: Moment[] = ["in mid-render", "before the download ends", "before the job"];

testFault(
  {
    id: "disk-full-scratch",
    fault: "the disk with the scratch files fills up during a job",
    expected: "the video waits and shows why; Completed by itself once there is space, all files intact",
    rounds: ROUNDS,
    secondsPerRound: 90,
    skip,
  },
  fillScratch,
);

testFault(
  {
    id: "disk-full-storage",
    fault: "the disk with the finished files fills up during a job",
    expected: "the video waits and shows why; Completed by itself once there is space, all files intact",
    rounds: ROUNDS,
    secondsPerRound: 90,
    skip,
  },
  fillStorage,
);

testFault(
  {
    id: "disk-full-database",
    fault: "the disk with the embedded database fills up during a job",
    expected:
      "a one-sentence error, no acknowledged data lost; once there is space, it recovers by itself or after a restart",
    rounds: ROUNDS,
    secondsPerRound: 120,
    skip,
  },
  fillDatabase,
);

/** Fills the disk of everything but the finished files: sources, encoded streams, unfinished outputs. */
async function fillScratch(round: number): Promise<Record<string, number>> {
  let disk: FullDisk | null = null;
  const openStorage: OpenTestStorage = async (at) => {
    const mounted = (disk = openFullDisk(at, SCRATCH_MEGABYTES));
    return openFolder(path.join(folder, `files-${round}`), mounted);
  };
  await using worker = await openTestWorker({ openStorage });
  const moment = MOMENTS[round % MOMENTS.length]!;
  const isGated = moment === "before the download ends";
  addClip(worker, isGated ? "gated" : "normal");
  if (moment === "before the job") disk!.fill();
  await worker.start(1, { ownWaits: OWN_WAITS });
  const job = await createClipJob(worker);
  if (isGated) await worker.twin.waitForRequest((request) => request.path === "/download" || request.path === "/uc");
  if (moment === "in mid-render") await untilRendering(path.join(worker.folder, "scratch"));
  disk!.fill();
  if (isGated) worker.twin.release("clip");
  // Awaited here because the worker is disposed of at the end of this block.
  return await waitAndClear(worker, job, () => disk!.clear());
}

/** Leaves room for one more output, not for two. */
async function fillStorage(): Promise<Record<string, number>> {
  let disk: FullDisk | null = null;
  const openStorage: OpenTestStorage = async (at) => {
    const mounted = (disk = openFullDisk(path.join(at, "files"), STORAGE_MEGABYTES));
    return openFolder(path.join(at, "files"), mounted);
  };
  await using worker = await openTestWorker({ openStorage });
  addClip(worker, "normal");
  await worker.start(1, { ownWaits: OWN_WAITS });
  const whole = await worker.finish(await createClipJob(worker));
  const { size_bytes: bytes } = (await readOutputs(worker, whole))[0]!;
  disk!.fill(bytes! * 1.5);
  const figures = await waitAndClear(worker, await createClipJob(worker), () => disk!.clear());
  expect(await readdir(path.join(worker.folder, "files", ".incoming"))).toEqual([]);
  return figures;
}

async function openFolder(root: string, disk: FullDisk): Promise<TestStorage> {
  const storage = await openFolderStorage(root);
  return { storage, list: () => readdir(root), close: async () => disk[Symbol.dispose]() };
}

function addClip({ twin }: TestWorker, kind: "normal" | "gated"): void {
  twin.add({ id: "clip", path: clip, name: "clip.mp4", mimeType: "video/mp4", behaviour: { kind } });
}

function createClipJob(worker: TestWorker): Promise<Job> {
  return worker.create({
    input_videos: [worker.twin.links("clip")],
    variants_per_video: VARIANTS,
    captions_enabled: true,
    custom_captions: ["one", randomBytes(4).toString("hex")],
  });
}

async function untilRendering(scratch: string): Promise<void> {
  const readMade = async () =>
    (await readdir(scratch, { recursive: true }).catch(() => [])).filter((name) =>
      /pictures?|\.mp4$|\.h264$/.test(name),
    );
  await expect.poll(readMade, { timeout: 30_000, interval: 10 }).not.toEqual([]);
}

async function waitAndClear(worker: TestWorker, job: Job, clear: () => void): Promise<Record<string, number>> {
  const readVideo = async () => (await readJobVideos(worker.context, job.id))[0]!;
  await expect
    .poll(readVideo, { timeout: 30_000, interval: 20 })
    .toMatchObject({ status: "Queued", error_message: expect.stringMatching(/\b(space|full)\b.*\.$/) });
  clear();
  const clearedMs = performance.now();
  const ended = await worker.finish(job);
  expect(ended).toMatchObject({ status: "Completed", error_message: null, progress: 100 });
  // Waiting for space uses up no attempt.
  expect(await readVideo()).toMatchObject({ status: "Completed", attempts: 1 });
  await requireWhole(worker, job);
  return { "s from free space to completion": (performance.now() - clearedMs) / 1_000 };
}

async function requireWhole(worker: TestWorker, job: Job): Promise<void> {
  const outputs = await readOutputs(worker, job);
  expect(outputs.map((output) => output.status)).toEqual(Array.from({ length: VARIANTS }, () => "Completed"));
  for (const { storage_key: key, size_bytes: size, crc32: checksum } of outputs) {
    const bytes = await buffer(await worker.context.storage.read(key!));
    expect([bytes.length, crc32(bytes)]).toEqual([size, checksum]);
    const file = await worker.context.storage.toLocalFile(key!);
    expect(await readDecodeErrors(file)).toBe("");
    expect(Math.abs((await durations(file)).video - CLIP.seconds)).toBeLessThanOrEqual(0.1);
  }
  const entries = await readdir(path.dirname(await worker.context.storage.toLocalFile(outputs[0]!.storage_key!)));
  expect(entries).toHaveLength(VARIANTS);
}

function readOutputs({ context }: TestWorker, job: Job) {
  return context.db.selectFrom("job_outputs").selectAll().where("job_id", "=", job.id).execute();
}

/**
 * First exhausts the tables' space, from which the database recovers, then that of its log, which stops database and
 * program.
 */
async function fillDatabase(round: number): Promise<Record<string, number>> {
  const dataDir = path.join(folder, `data-${round}`);
  const databaseFolder = path.join(dataDir, DATABASE_FOLDER);
  using disk = openFullDisk(databaseFolder, DATABASE_MEGABYTES);
  await copyInstallation(dataDir);
  await using stack = new AsyncDisposableStack();
  const jobs = await openFaultJobs(folder);
  stack.defer(() => jobs.close());
  const start = async (): Promise<ClipmillProcess> => {
    const started = await startClipmillProcess(dataDir, jobs.environment);
    stack.defer(() => started.kill());
    return started;
  };
  const clipmill = await start();
  const client = await signedInClient(clipmill.url);
  const kept = new Set<string>();

  jobs.hold("first");
  const job = await createJob(client, jobs.request(`Round ${round}`));
  await expect
    .poll(async () => (await rowsOf<{ status: string }>(client, "job_videos", job.id)).map(({ status }) => status))
    .toContain("Processing");
  disk.fill();
  const rejected = await writeUntilRejected(client, kept);
  expect(rejected).toBe("507 The database's disk is full. Free some space, then try again.");
  jobs.release("first");
  for (let i = 0; i < 50; i += 1) expect(await writeRow(client, kept)).toBe(rejected);
  disk.clear();
  const clearedMs = performance.now();
  expect(await writeRow(client, kept)).toBeNull();
  await expect.poll(() => hasEnded(client, job.id), { timeout: 30_000 }).toBe(true);
  const figures = { "s from free space to completion": (performance.now() - clearedMs) / 1_000 };
  await requireIntact(client, job.id, path.join(dataDir, "files"));
  expect(await readNames(client)).toEqual([...kept].toSorted());

  let last = rejected;
  // A table may need the last of the space before the log does.
  for (let attempt = 0; last === rejected && attempt < 5; attempt += 1) {
    disk.clear();
    await writeToNextSegment(client, kept, databaseFolder);
    // Less than the next log file needs, and more than is written until then.
    disk.fill(SEGMENT_BYTES * 0.9);
    last = await writeUntilRejected(client, kept, MANY_CAPTIONS);
  }
  expect(last).toMatch(/^503 The database (isn.t responding|stopped because its disk is full)/);
  expect(await clipmill.ended()).toBe(1);
  const words = clipmill.output().stderr.trimEnd().split("\n");
  expect(words.at(-1)).toMatch(/^The database stopped because its disk is full .* start Clipmill again\.$/);

  disk.fill();
  const starting = start();
  disk.clear();
  const again = await starting;
  const signedIn = await signedInClient(again.url);
  expect(await readNames(signedIn)).toEqual([...kept].toSorted());
  expect(await writeRow(signedIn, kept)).toBeNull();
  expect(await again.stop()).toBe(0);
  return figures;
}

/** Writes an incompressible row. Returns the rejection's status and message, or null. */
async function writeRow(client: SupabaseClient, kept: Set<string>, length = CAPTIONS): Promise<string | null> {
  const name = randomBytes(8).toString("hex");
  const captions = Array.from({ length }, () => randomBytes(1_400).toString("base64"));
  const { error, status } = await client.from("caption_sets").insert({ name, captions });
  if (!error) kept.add(name);
  return error && `${status} ${error.message}`;
}

async function writeUntilRejected(client: SupabaseClient, kept: Set<string>, length = CAPTIONS): Promise<string> {
  for (;;) {
    const rejected = await writeRow(client, kept, length);
    if (rejected !== null) return rejected;
  }
}

/** Continues to about a quarter of the next log file. */
async function writeToNextSegment(client: SupabaseClient, kept: Set<string>, databaseFolder: string): Promise<void> {
  const readSegments = async () =>
    (await readdir(path.join(databaseFolder, "pg_wal"))).filter((name) => name.startsWith("0"));
  const before = await readSegments();
  const write = async () => expect(await writeRow(client, kept, MANY_CAPTIONS)).toBeNull();
  while ((await readSegments()).length === before.length) await write();
  // Half of it: the tables need the rest of the disk more slowly than the log then.
  for (let i = 0; i < 80; i += 1) await write();
}

async function readNames(client: SupabaseClient): Promise<string[]> {
  const { data, error } = await client.from("caption_sets").select("name").limit(10_000);
  if (error) throw error;
  return data.map(({ name }) => String(name)).toSorted();
}
