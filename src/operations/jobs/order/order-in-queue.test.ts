import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { type ClaimedTask, openQueue } from "#queue/open-queue.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { testFailure } from "#tests/support/test-failure.ts";
import { bumpJob, holdJob, releaseJob } from "./change-waiting-job.ts";
import { cancelJob } from "../cancel-job.ts";
import { claimVideo } from "../videos/claim-video.ts";
import { deleteJobs } from "../delete-jobs.ts";
import { endVideo } from "../videos/end-video.ts";
import { postponeVideo } from "./postpone-video.ts";
import { readJob, readJobVideos } from "../read/read-job.ts";
import { retryJob } from "../retry-job.ts";

const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

describe("the order in the queue", () => {
  let server: TestServer;
  /** Claims so far, as job name and video position. */
  let claims: string[];
  /** Ends claimed videos, by name. */
  let running: Map<string, (end: "Completed" | "Failed" | "again") => void>;

  beforeEach(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
    claims = [];
    running = new Map();
  });
  afterEach(() => server.close());

  const create = (name: string, videos: number): Promise<Job> =>
    server.create({
      job_name: name,
      input_videos: Array.from({ length: videos }, (__, i) => `https://drive.google.com/file/d/v${i}/view`),
    });
  const read = async (job: Job): Promise<Job> => (await readJob(server.context, job.id))!;
  const positions = (...jobs: Job[]) => Promise.all(jobs.map(async (job) => (await read(job)).queue_position));
  const measure = async () => (await server.context.queue.measure()).find(({ name }) => name === "videos")!;

  /** A worker whose videos end when the test decides. */
  async function process(task: ClaimedTask): Promise<void> {
    const claim = await claimVideo(server.context, task, task.attempt);
    if (!claim) return;
    const name = `${claim.job.job_name}${claim.video.position}`;
    claims.push(name);
    const end = await new Promise<"Completed" | "Failed" | "again">((resolve, reject) => {
      running.set(name, resolve);
      const stop = (): void => reject(new Error("The worker stops."));
      // The worker may have been stopped meanwhile.
      if (task.signal.aborted) stop();
      else task.signal.addEventListener("abort", stop);
    });
    const attemptRef = { jobId: task.jobId, videoId: task.videoId, attempt: task.attempt };
    if (end === "again") {
      await postponeVideo(server.context, attemptRef, testFailure("The network is down."));
      throw new ClipmillError("network", "The network is down.");
    }
    await endVideo(
      server.context,
      attemptRef,
      end === "Failed" ? { status: end, failure: testFailure("No video.") } : { status: end },
    );
  }

  const work = (slots = 1) => server.context.queue.videos.work(slots, process);
  async function untilStarted(name: string): Promise<void> {
    await expect.poll(() => running.has(name), { timeout: 20_000 }).toBe(true);
  }
  async function end(name: string, how: "Completed" | "Failed" | "again" = "Completed"): Promise<void> {
    await untilStarted(name);
    running.get(name)!(how);
    running.delete(name);
  }

  it("puts a bumped job's waiting videos next, the last bumped job's first, and does not affect running videos", async () => {
    const [a, b, c, d] = [await create("a", 3), await create("b", 2), await create("c", 2), await create("d", 1)];
    expect(await positions(a, b, c, d)).toEqual([1, 2, 3, 4]);
    await work();
    await untilStarted("a0");
    expect(await bumpJob(server.context, c.id)).toMatchObject({ id: c.id, queue_position: 1 });
    await bumpJob(server.context, d.id);
    expect(await positions(a, b, c, d)).toEqual([null, 3, 2, 1]);
    await bumpJob(server.context, b.id);
    await bumpJob(server.context, b.id);
    expect(await positions(b, c, d)).toEqual([1, 3, 2]);
    const order = ["a0", "b0", "b1", "d0", "c0", "c1", "a1", "a2"];
    for (const name of order) await end(name);
    await expect.poll(async () => (await read(a)).status).toBe("Failed");
    expect(claims).toEqual(order);
    // Bumped videos do not advance the virtual time, which orders later jobs.
    const clock = await server.context.db.selectFrom("queue_clock").selectAll().executeTakeFirstOrThrow();
    expect(clock.virtual_time).toBe(2);
  });

  it("moves a running job's waiting videos to the front, and continues with the next job afterwards", async () => {
    const [a, b] = [await create("a", 3), await create("b", 3)];
    await work();
    await untilStarted("a0");
    await bumpJob(server.context, a.id);
    for (const name of ["a0", "a1", "a2", "b0"]) await end(name);
    expect((await read(b)).status).toBe("Processing");
  });

  it("hands out none of a held job's videos while its running video ends, and continues once it is released", async () => {
    const [a, b] = [await create("a", 3), await create("b", 1)];
    await work();
    await untilStarted("a0");
    const held = await holdJob(server.context, a.id);
    expect(held).toMatchObject({ status: "Processing", held_at: expect.any(String), waiting_videos: 2 });
    expect(await holdJob(server.context, a.id)).toMatchObject({ held_at: held.held_at });
    expect(await measure()).toMatchObject({ waiting: 1, held: 2, active: 1 });
    await end("a0");
    await end("b0");
    await expect.poll(() => measure()).toMatchObject({ waiting: 0, held: 2, active: 0 });
    expect(await read(a)).toMatchObject({ status: "Processing", waiting_videos: 2 });
    expect(await read(b)).toMatchObject({ status: "Failed" });
    expect(await releaseJob(server.context, a.id)).toMatchObject({ held_at: null });
    expect(await releaseJob(server.context, a.id)).toMatchObject({ held_at: null });
    await end("a1");
    await end("a2");
    expect(claims).toEqual(["a0", "b0", "a1", "a2"]);
  });

  it("gives a job no queue position while it is on hold", async () => {
    const [a, b, c] = [await create("a", 1), await create("b", 1), await create("c", 1)];
    await holdJob(server.context, b.id);
    expect(await positions(a, b, c)).toEqual([1, null, 2]);
    expect(await read(b)).toMatchObject({ status: "Queued" });
    await releaseJob(server.context, b.id);
    expect(await positions(a, b, c)).toEqual([1, 2, 3]);
  });

  it("does not let a released job catch up at the expense of others", async () => {
    const long = await create("long", 4);
    await holdJob(server.context, long.id);
    const other = await create("other", 6);
    await work();
    for (const name of ["other0", "other1", "other2"]) await end(name);
    await untilStarted("other3");
    await releaseJob(server.context, long.id);
    const order = ["other3", "long0", "long1", "other4", "long2", "other5", "long3"];
    for (const name of order) await end(name);
    expect((await read(other)).status).toBe("Failed");
    expect(claims.slice(3)).toEqual(order);
  });

  it("starts no further attempt at a held job's video, and reuses its number after the release", async () => {
    const a = await create("a", 2);
    await work();
    await untilStarted("a0");
    await holdJob(server.context, a.id);
    await end("a0", "again");
    // The task returns after its pause, does not start, and waits with the other one.
    await expect.poll(() => measure(), { timeout: 20_000 }).toMatchObject({ waiting: 0, postponed: 0, held: 2 });
    expect(claims).toEqual(["a0"]);
    await releaseJob(server.context, a.id);
    for (let ended = 0; ended < 2; ended += 1) {
      await expect.poll(() => running.size, { timeout: 20_000 }).toBe(1);
      await end([...running.keys()][0]!);
    }
    await expect
      .poll(() => readJobVideos(server.context, a.id))
      .toMatchObject([
        { status: "Completed", attempts: 2 },
        { status: "Completed", attempts: 1 },
      ]);
    expect(await read(a)).toMatchObject({ retry_count: 1 });
  });

  it("gives a released job's video all its attempts, regardless of how often workers claimed it too early", async () => {
    const a = await create("a", 1);
    const claimed = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    // A worker that fetched the task just before the hold.
    await server.context.queue.videos.work(1, async (task) => {
      claimed.resolve();
      await proceed.promise;
      await process(task);
    });
    await claimed.promise;
    await holdJob(server.context, a.id);
    proceed.resolve();
    await expect.poll(() => measure()).toMatchObject({ held: 1, active: 0 });
    expect(await read(a)).toMatchObject({ status: "Queued", waiting_videos: 1, retry_count: 0 });
    await releaseJob(server.context, a.id);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await end("a0", "again");
      await expect
        .poll(
          async () => {
            await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(server.context.db);
            return running.has("a0");
          },
          { timeout: 20_000 },
        )
        .toBe(true);
    }
    expect((await readJobVideos(server.context, a.id))[0]).toMatchObject({ attempts: 4, status: "Processing" });
    await end("a0");
  });

  it("keeps a job on hold across a restart and a worker killed while processing its video", async () => {
    const a = await create("a", 2);
    await work();
    await untilStarted("a0");
    await holdJob(server.context, a.id);
    // Simulates a kill and the next start of the only process.
    const restarted = await openQueue({ ...server.database, isEmbedded: true }, () => {});
    try {
      await sql`update pgboss.job set start_after = now()`.execute(server.context.db);
      await expect.poll(() => measure(), { timeout: 20_000 }).toMatchObject({ waiting: 0, postponed: 0, held: 2 });
      expect(claims).toEqual(["a0"]);
      expect(await read(a)).toMatchObject({ status: "Processing", held_at: expect.any(String) });
      // No worker will claim the interrupted video to end it.
      expect(await cancelJob(server.context, a.id)).toEqual({ success: true });
      expect(await measure()).toMatchObject({ waiting: 0, postponed: 0, held: 0 });
    } finally {
      await restarted.stop();
    }
  });

  it("keeps retried videos of a held job on hold", async () => {
    const a = await create("a", 1);
    await work();
    await untilStarted("a0");
    await holdJob(server.context, a.id);
    await end("a0", "Failed");
    await expect.poll(async () => (await read(a)).status).toBe("Failed");
    expect(await retryJob(server.context, a.id)).toMatchObject({ status: "Queued", queue_position: null });
    expect(await measure()).toMatchObject({ waiting: 0, held: 1 });
    expect(await releaseJob(server.context, a.id)).toMatchObject({ queue_position: 1 });
    await end("a0");
    expect(claims).toEqual(["a0", "a0"]);
  });

  it("cancels a job on hold, and deletes it", async () => {
    const [waiting, started] = [await create("waiting", 2), await create("started", 2)];
    await holdJob(server.context, waiting.id);
    expect(await cancelJob(server.context, waiting.id)).toEqual({ success: true });
    expect(await read(waiting)).toMatchObject({ status: "Cancelled", waiting_videos: null });
    await work();
    await untilStarted("started0");
    await holdJob(server.context, started.id);
    const cancelled = cancelJob(server.context, started.id);
    await expect.poll(async () => (await read(started)).status).toBe("Cancelling");
    await end("started0");
    expect(await cancelled).toEqual({ success: true });
    expect(await measure()).toMatchObject({ waiting: 0, held: 0 });
    const jobIds = [waiting.id, started.id];
    expect(await deleteJobs(server.context, jobIds)).toEqual({ deleted: jobIds, refused: [] });
  });

  it("immediately cancels a video that the only worker has handed back", async () => {
    const a = await create("a", 1);
    await work();
    await untilStarted("a0");
    await server.context.queue.stopWorking();
    expect((await readJobVideos(server.context, a.id))[0]).toMatchObject({ status: "Processing" });
    expect(await cancelJob(server.context, a.id)).toEqual({ success: true });
    expect((await readJobVideos(server.context, a.id))[0]).toMatchObject({ status: "Cancelled", stage: null });
  });

  it("ignores a late report of an ended attempt after a retry", async () => {
    const a = await create("a", 1);
    await work();
    await untilStarted("a0");
    await holdJob(server.context, a.id);
    await end("a0", "Failed");
    await expect.poll(async () => (await read(a)).status).toBe("Failed");
    await retryJob(server.context, a.id);
    const [video] = await readJobVideos(server.context, a.id);
    const attemptRef = { jobId: a.id, videoId: video!.id, attempt: 1 };
    expect(await endVideo(server.context, attemptRef, { status: "Failed", failure: testFailure("No video.") })).toBe(
      false,
    );
    expect(await read(a)).toMatchObject({ status: "Queued" });
  });

  it("starts none of a job's videos after the hold is confirmed, regardless of concurrent claims", async () => {
    const jobs = [await create("x", 40), await create("y", 40)];
    const late: string[] = [];
    const heldIds = new Set<string>();
    const tenth = Promise.withResolvers<void>();
    let claimed = 0;
    await server.context.queue.videos.work(6, async (task) => {
      const isLate = heldIds.has(task.jobId);
      const claim = await claimVideo(server.context, task, task.attempt);
      if (!claim) return;
      if (isLate) late.push(task.videoId);
      claimed += 1;
      if (claimed === 10) tenth.resolve();
      await endVideo(server.context, { ...task }, { status: "Completed" });
    });
    await tenth.promise;
    await Promise.all(
      jobs.map(async (job) => {
        await holdJob(server.context, job.id);
        heldIds.add(job.id);
      }),
    );
    await expect.poll(() => measure()).toMatchObject({ waiting: 0, active: 0 });
    expect(late).toEqual([]);
    const waiting = await Promise.all(jobs.map(async (job) => (await read(job)).waiting_videos!));
    expect((await measure()).held).toBe(waiting[0]! + waiting[1]!);
    heldIds.clear();
    for (const job of jobs) await releaseJob(server.context, job.id);
    for (const job of jobs) await expect.poll(async () => (await read(job)).status, { timeout: 30_000 }).toBe("Failed");
    expect(await read(jobs[0]!)).toMatchObject({ retry_count: 0 });
  });

  it("explains why a job's position cannot be changed", async () => {
    const errorOf = (verb: typeof bumpJob, id: string) =>
      verb(server.context, id).catch((error: Error) => error.message);
    const held = await create("held", 1);
    await holdJob(server.context, held.id);
    expect(await errorOf(bumpJob, held.id)).toBe("The job is on hold. Release it first.");
    const ended = await create("ended", 1);
    const set = (status: Job["status"]) =>
      server.context.db.updateTable("jobs").set({ status }).where("id", "=", ended.id).execute();
    for (const [status, sentence] of [
      ["Completed", "The job has already finished."],
      ["Cancelled", "The job has already finished."],
      ["Cancelling", "The job is being canceled."],
    ] as const) {
      await set(status);
      for (const verb of [bumpJob, holdJob, releaseJob]) expect(await errorOf(verb, ended.id)).toBe(sentence);
    }
    for (const verb of [bumpJob, holdJob, releaseJob]) {
      expect(await errorOf(verb, UNKNOWN_ID)).toBe("The job does not exist.");
    }
    await set("Queued");
    await work();
    await untilStarted("ended0");
    expect(await errorOf(bumpJob, ended.id)).toBe("None of this job's videos are waiting.");
  });
});
