import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { bumpJob, holdJob, releaseJob } from "#operations/jobs/order/change-waiting-job.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { deleteJobs } from "#operations/jobs/delete-jobs.ts";
import { readJob, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { retryNow } from "#operations/jobs/order/retry-now.ts";
import { failExpiredWaits } from "#operations/hosts/fail-expired-waits.ts";
import { savePrefetchSources } from "#operations/settings/read-settings.ts";
import { openQueue } from "#queue/open-queue.ts";
import { S3_LIMITS } from "#storage/s3/s3-store.ts";
import { openS3Storage } from "#storage/s3/s3-storage.ts";
import { startFaultyProxy } from "#tests/support/faults/faulty-proxy.ts";
import { startS3Server } from "#tests/support/twins/s3-server.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import {
  type AheadClock,
  createAheadClock,
  MINUTE_MS,
  advanceTime,
  readHost,
  waitUntilCoolingDown,
} from "#tests/support/faults/outage.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

const GIVE_TIME = { timeout: 30_000, interval: 20 };
const folder = await makeScratchFolder();
let clip: Buffer;
let worker: TestWorker;
let clock: AheadClock;

beforeAll(async () => {
  const file = path.join(folder, "clip.mp4");
  await makeClip(file, { width: 64, height: 64, seconds: 0.5, framesPerSecond: 10, toneHz: null });
  clip = await readFile(file);
});
beforeEach(async () => {
  worker = await openTestWorker();
  // Requests are counted.
  await savePrefetchSources(worker.context.db, false);
  clock = createAheadClock();
});
afterEach(() => worker[Symbol.asyncDispose]());

function add(
  id: string,
  behaviour: Parameters<TestWorker["twin"]["add"]>[0]["behaviour"] = { kind: "normal" },
): string {
  worker.twin.add({ id, bytes: clip, name: `${id}.mp4`, mimeType: "video/mp4", behaviour });
  return worker.twin.links(id);
}

async function untilWaiting(job: Job): Promise<void> {
  const areWaiting = async () =>
    (await readJobVideos(worker.context, job.id)).every((video) => video.waits_for !== null);
  await expect.poll(areWaiting, GIVE_TIME).toBe(true);
}

it("waits for its host even if the database is unreachable when the failure is recorded", async () => {
  const job = await worker.create({ input_videos: [add("a"), add("b"), add("c")] });
  worker.twin.setAway("cuts");
  let outages = 0;
  const readNowAgain = async () => {
    outages += 1;
    if (outages % 3 !== 0) throw new ClipmillError("unavailable", "The database cannot be reached.");
    return clock.readNow();
  };
  await worker.start(1, { readNow: readNowAgain });
  await untilWaiting(job);
  const videos = await readJobVideos(worker.context, job.id);
  expect(videos.map((video) => video.error_message)).toEqual(videos.map(() => "Google Drive is not available."));
  const missed = async () => worker.twin.requests.length - ((await readHost(worker))?.failures ?? 0);
  await expect.poll(missed, GIVE_TIME).toBe(0);
});

describe("while a host cools down", () => {
  it("reports why each video waits, counts no attempts, and continues with videos of other hosts", async () => {
    const { db, storage } = worker.context;
    const file = path.join(folder, "clip.mp4");
    const { sizeBytes } = await storage.put("library/clip.mp4", file);
    await db
      .insertInto("library_files")
      .values({
        id: "own",
        name: "own.mp4",
        kind: "video",
        duration_seconds: 0.5,
        is_sample: false,
        storage_key: "library/clip.mp4",
        size_bytes: sizeBytes,
      })
      .execute();
    worker.twin.setAway("cuts");
    const away = await worker.create({ input_videos: [add("a"), add("b"), add("c"), add("d")] });
    await worker.start(1, { readNow: clock.readNow });
    await advanceTime(worker, clock, 30);
    const own = await worker.finish(await worker.create({ input_videos: ["https://clipmill.local/file/d/own"] }));
    expect(own).toMatchObject({ status: "Completed", retry_count: 0 });
    await waitUntilCoolingDown(worker, clock);
    await untilWaiting(away);
    const videos = await readJobVideos(worker.context, away.id);
    const waiting = { status: "Queued", error_message: "Google Drive is not available.", waits_for: "google-drive" };
    expect(videos).toMatchObject(videos.map(() => waiting));
    expect(videos.every((video) => video.attempts <= 3)).toBe(true);
    const host = (await readHost(worker))!;
    expect(videos.every((video) => video.next_try_at === host.cools_until && video.waiting_since !== null)).toBe(true);
    worker.twin.setAway(null);
    clock.aheadMs += 6 * MINUTE_MS;
    expect(await worker.finish(away)).toMatchObject({ status: "Completed", error_message: null });
  });

  it("fails immediately if no retry can help", async () => {
    const good = add("good", { kind: "outOfOrder", times: 3 });
    await worker.start(1, { readNow: clock.readNow });
    const job = await worker.create({ input_videos: [good] });
    await waitUntilCoolingDown(worker, clock);
    const bad = await worker.create({ input_videos: ["nonsense", add("private", { kind: "notShared" })] });
    await expect
      .poll(async () => (await readJobVideos(worker.context, bad.id)).map((video) => video.status), GIVE_TIME)
      .toEqual(["Failed", "Queued"]);
    clock.aheadMs += 6 * MINUTE_MS;
    expect(await worker.finish(bad)).toMatchObject({ status: "Failed", retry_count: 0 });
    expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  });

  it("cools down for as long as the host requests", async () => {
    add("busy", { kind: "rateLimited", times: 1, retryAfterSeconds: 1_200 });
    await worker.start(1, { readNow: clock.readNow });
    const job = await worker.create({ input_videos: [worker.twin.links("busy")] });
    const leftMs = (await waitUntilCoolingDown(worker, clock)) - (await clock.readNow());
    await untilWaiting(job);
    expect(Math.round(leftMs / MINUTE_MS)).toBe(20);
    expect((await readJobVideos(worker.context, job.id))[0]).toMatchObject({
      error_message: "Google Drive is limiting requests.",
    });
    clock.aheadMs += 21 * MINUTE_MS;
    expect(await worker.finish(job)).toMatchObject({ status: "Completed", retry_count: 0 });
  });

  it("fails videos that have waited for 24 hours, with the reason", async () => {
    worker.twin.setAway("cuts");
    await worker.start(1, { readNow: clock.readNow });
    const job = await worker.create({ input_videos: [add("a")] });
    await waitUntilCoolingDown(worker, clock);
    clock.aheadMs += 23.9 * 60 * MINUTE_MS;
    await waitUntilCoolingDown(worker, clock);
    expect(await readJob(worker.context, job.id)).toMatchObject({ status: "Processing" });
    clock.aheadMs += 10 * MINUTE_MS;
    const message = "Gave up after waiting 24 hours. Google Drive is not available.";
    expect(await worker.finish(job)).toMatchObject({ status: "Failed", error_message: message });
  });
});

it("fails captions, deliveries and transcripts that have waited for 24 hours, and no others", async () => {
  const { context } = worker;
  const { db } = context;
  const job = await worker.create({ input_videos: [add("a")] });
  const { id: batch_id } = await db
    .insertInto("caption_batches")
    .values({ account_id: null, links_digest: "links" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const nowMs = await clock.readNow();
  for (const [position, hours] of [23, 25].entries()) {
    const waiting = {
      waiting_since: new Date(nowMs - hours * 60 * MINUTE_MS).toISOString(),
      error_message: "It is not available.",
    };
    const link = worker.twin.links("a");
    await db
      .insertInto("caption_tasks")
      .values({ batch_id, position, link, ...waiting })
      .execute();
    const destination = { destination_id: null, destination_name: "Results", kind: "folder" } as const;
    await db
      .insertInto("deliveries")
      .values({ job_id: job.id, ...destination, ...waiting })
      .execute();
    const talk = { content: String(hours), name: "talk.mp4", link, duration_seconds: 1 };
    await db
      .insertInto("transcripts")
      .values({ ...talk, ...waiting })
      .execute();
  }
  await failExpiredWaits(context, nowMs);
  for (const table of ["caption_tasks", "deliveries", "transcripts"] as const) {
    const rows = await db.selectFrom(table).select(["status", "error_message"]).orderBy("waiting_since").execute();
    expect(rows).toEqual([
      { status: "Failed", error_message: "Gave up after waiting 24 hours. It is not available." },
      { status: "Queued", error_message: "It is not available." },
    ]);
  }
  const deliveries = await db.selectFrom("deliveries").select("ended_at").orderBy("waiting_since").execute();
  expect(deliveries.map(({ ended_at }) => ended_at !== null)).toEqual([true, false]);
});

it("lets a file over its quota wait alone, without an attempt, while others continue", async () => {
  const job = await worker.create({ input_videos: [add("popular", { kind: "quotaExceeded" }), add("other")] });
  await worker.start(1, { readNow: clock.readNow });
  await expect
    .poll(async () => (await readJobVideos(worker.context, job.id)).map((video) => video.status), GIVE_TIME)
    .toEqual(["Queued", "Completed"]);
  const [video] = await readJobVideos(worker.context, job.id);
  expect(video).toMatchObject({
    attempts: 1,
    waits_for: null,
    error_message: expect.stringMatching(/^Google Drive has blocked this file/),
  });
  expect(Math.round((Date.parse(video!.next_try_at!) - Date.now()) / MINUTE_MS)).toBe(10);
  expect(await readHost(worker)).toBeUndefined();
});

it("keeps videos waiting for an unreachable bucket, and stores their files when it responds", async () => {
  let isAway = false;
  await worker[Symbol.asyncDispose]();
  worker = await openTestWorker({
    openStorage: async (ofWorker) => {
      const server = await startS3Server();
      const proxy = await startFaultyProxy(server.port, () => (isAway ? "unavailable" : "none"));
      const location = { ...server.location, endpoint: proxy.url };
      return {
        storage: await openS3Storage(location, path.join(ofWorker, "copies"), { ...S3_LIMITS, attempts: 1 }),
        list: (below) => server.list(below),
        async close() {
          await proxy.close();
          await server.close();
        },
      };
    },
  });
  isAway = true;
  await worker.start(1, { readNow: clock.readNow });
  const job = await worker.create({ input_videos: [add("a"), add("b")] });
  await advanceTime(worker, clock, 10);
  expect(await readHost(worker)).toMatchObject({ host: "storage" });
  expect(await readJob(worker.context, job.id)).toMatchObject({ status: "Processing" });
  isAway = false;
  clock.aheadMs += 6 * MINUTE_MS;
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", error_message: null });
});

describe("two workers", () => {
  it("probe a cooling host with one video at a time between them", async () => {
    await worker[Symbol.asyncDispose]();
    worker = await openTestWorker({ openDatabase: openPostgresDatabase });
    worker.twin.setAway("cuts");
    await worker.start(2, { readNow: clock.readNow });
    await worker.start(2, { readNow: clock.readNow });
    const job = await worker.create({ input_videos: Array.from({ length: 12 }, (__, i) => add(`clip-${i}`)) });
    await waitUntilCoolingDown(worker, clock);
    await untilWaiting(job);
    const before = worker.twin.requests.length;
    const cooldowns = await advanceTime(worker, clock, 10);
    await waitUntilCoolingDown(worker, clock);
    expect(worker.twin.requests.length - before).toBe(cooldowns.length);
    worker.twin.setAway(null);
    clock.aheadMs += 6 * MINUTE_MS;
    expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  });
});

it("probes a host with another video when the probing worker is killed", async () => {
  worker.twin.setAway("cuts");
  await worker.start(2, { readNow: clock.readNow });
  const job = await worker.create({ input_videos: [add("a"), add("b"), add("c")] });
  const dueMs = await waitUntilCoolingDown(worker, clock);
  await untilWaiting(job);
  worker.twin.setAway("silent");
  const before = worker.twin.requests.length;
  const nowMs = await clock.readNow();
  clock.aheadMs += dueMs - nowMs;
  await expect.poll(() => worker.twin.requests.length, GIVE_TIME).toBe(before + 1);
  // Simulates a kill and the next start of the only process.
  await (await openQueue({ ...worker.database, isEmbedded: true }, () => {})).stop();
  worker.twin.setAway(null);
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", error_message: null });
});

async function createWaiting(ids: string[]): Promise<Job> {
  worker.twin.setAway("cuts");
  const job = await worker.create({ input_videos: ids.map((id) => add(id)) });
  await untilWaiting(job);
  await waitUntilCoolingDown(worker, clock);
  return job;
}

describe("an operator", () => {
  it("can have a cooling host probed immediately", async () => {
    await worker.start(1, { readNow: clock.readNow });
    const job = await createWaiting(["a", "b", "c"]);
    const [, , last] = await readJobVideos(worker.context, job.id);
    const before = worker.twin.requests.length;
    expect(await retryNow(worker.context, job.id, { videoId: last!.id })).toEqual({ success: true });
    await waitUntilCoolingDown(worker, clock);
    expect(worker.twin.requests.slice(before).map(({ query }) => query.get("id"))).toEqual(["c"]);
    worker.twin.setAway(null);
    expect(await retryNow(worker.context, job.id, { reason: "Another reason." })).toMatchObject({ success: false });
    expect(await retryNow(worker.context, job.id, {})).toEqual({ success: true });
    expect(await worker.finish(job)).toMatchObject({ status: "Completed", error_message: null });
  });

  it("can hold, release, move, cancel and delete waiting jobs", async () => {
    await worker.start(1, { readNow: clock.readNow });
    const job = await createWaiting(["a", "b"]);
    const other = await createWaiting(["c"]);
    await holdJob(worker.context, job.id);
    expect(await retryNow(worker.context, job.id, {})).toMatchObject({
      success: false,
      error: expect.stringContaining("on hold"),
    });
    await bumpJob(worker.context, other.id);
    const before = worker.twin.requests.length;
    clock.aheadMs += 6 * MINUTE_MS;
    await waitUntilCoolingDown(worker, clock);
    // Held videos stay put.
    expect(worker.twin.requests.slice(before).map(({ query }) => query.get("id"))).toEqual(["c"]);
    expect(await cancelJob(worker.context, other.id)).toEqual({ success: true });
    expect(await deleteJobs(worker.context, [other.id])).toMatchObject({ deleted: [other.id] });
    await releaseJob(worker.context, job.id);
    worker.twin.setAway(null);
    clock.aheadMs += 6 * MINUTE_MS;
    expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  });

  it("can retry failed videos, one or all with one reason, even while the job runs", async () => {
    await worker.start(1, { readNow: clock.readNow });
    const job = await worker.create({
      input_videos: [
        add("p", { kind: "notShared" }),
        add("q", { kind: "notShared" }),
        add("r", { kind: "notFound" }),
        add("gate", { kind: "gated" }),
      ],
    });
    const statuses = async () => (await readJobVideos(worker.context, job.id)).map((video) => video.status);
    await expect.poll(statuses, GIVE_TIME).toEqual(["Failed", "Failed", "Failed", "Processing"]);
    const videos = await readJobVideos(worker.context, job.id);
    const reason = videos[0]!.error_message!;
    for (const id of ["p", "q", "r"]) add(id);
    expect(await retryNow(worker.context, job.id, { reason })).toEqual({ success: true });
    expect(await statuses()).toEqual(["Queued", "Queued", "Failed", "Processing"]);
    worker.twin.release("gate");
    const ended = await worker.finish(job);
    expect(ended).toMatchObject({
      status: "Completed",
      error_message: expect.stringContaining("1 of 4 videos failed"),
    });
    expect(await retryNow(worker.context, job.id, { videoId: videos[2]!.id })).toEqual({ success: true });
    expect(await worker.finish(job)).toMatchObject({ status: "Completed", error_message: null });
    expect(await retryNow(worker.context, job.id, {})).toEqual({
      success: false,
      error: "None of these videos have failed or are waiting to be retried.",
    });
  });
});
