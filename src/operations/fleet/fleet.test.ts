import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import { toStored } from "#operations/jobs/read/stored-settings.ts";
import type { WorkerMedia } from "#contract/settings/system.ts";
import type { Database } from "#database/open-database.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { TERMINAL } from "../audit/write-audit.ts";
import {
  type WorkerHeartbeat,
  type WorkerOrders,
  recordHeartbeat,
  unregisterWorker,
  registerWorker,
} from "./register-worker.ts";
import { ALL_WORKERS, FLEET_CHANNEL } from "./fleet-channel.ts";
import { listWorkers, readClaiming } from "./list-workers.ts";
import { pauseQueue, readQueuePause, resumeQueue } from "./queue-pause.ts";
import { hasIdleWorker } from "../jobs/runs/shared-runs.ts";
import { steerWorker } from "./steer-worker.ts";

const NO_ORDERS = { isPaused: false, isDraining: false, wantedConcurrency: null, isQueuePaused: false };
const MEDIA: WorkerMedia = { ffmpeg: "7.1.4-0+deb13u1", origin: "path", missingLimits: ["network"] };
const AT_WORK = { doing: [], captionVideos: 0, speed: null, pauseReasons: [], disk: null };

describe("the workers", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openPostgresDatabase();
  });
  afterAll(() => database.close());
  afterEach(async () => void (await database.db.deleteFrom("workers").execute()));

  async function start(
    host = "studio",
    { isAlone = false, canDrain = true, formerId = null as string | null, labels = [] as string[] } = {},
  ): Promise<WorkerHeartbeat> {
    const worker = { id: randomUUID(), host, version: "1.2.3", media: MEDIA, pid: 7, concurrency: 2, canDrain, labels };
    const name = await registerWorker(database, worker, { isAlone, formerId });
    return { ...worker, ...AT_WORK, name };
  }

  /** Backdates a worker's heartbeat. */
  async function silence(worker: WorkerHeartbeat, interval: string): Promise<void> {
    await sql`update workers set beat_at = now() - ${interval}::interval where id = ${worker.id}`.execute(database.db);
  }

  const byTerminal = () => ({ db: database.db, actor: TERMINAL });
  const beat = (worker: WorkerHeartbeat, known: WorkerOrders = NO_ORDERS) => recordHeartbeat(database, worker, known);
  const namesNow = async () => (await listWorkers(database)).map(({ name, isLost }) => (isLost ? `${name}!` : name));

  it("numbers the workers of a host, and reuses a name once its worker is lost", async () => {
    await Promise.all([start(), start(), start("attic")]);
    const fourth = await start();
    expect(await namesNow()).toEqual(["attic", "studio", "studio 2", "studio 3"]);
    await silence(fourth, "16 seconds");
    expect(await namesNow()).toEqual(["attic", "studio", "studio 2", "studio 3!"]);
    await start();
    expect(await namesNow()).toEqual(["attic", "studio", "studio 2", "studio 3"]);
  });

  it("shows a worker as lost after 15 s and forgets it after a day", async () => {
    const worker = await start();
    await silence(worker, "14 seconds");
    expect(await namesNow()).toEqual(["studio"]);
    await silence(worker, "16 seconds");
    expect(await namesNow()).toEqual(["studio!"]);
    await silence(worker, "25 hours");
    expect(await namesNow()).toEqual([]);
    await start("attic");
    expect(await database.db.selectFrom("workers").select("name").execute()).toEqual([{ name: "attic" }]);
  });

  it("gives a worker the name of its predecessor even before that one counts as lost", async () => {
    const [first, second, third] = [await start(), await start(), await start()];
    expect([first.name, second.name, third.name]).toEqual(["studio", "studio 2", "studio 3"]);
    const again = await start("studio", { formerId: second.id });
    expect(again.name).toBe("studio 2");
    // Other workers of the host have their own data directories and stay.
    expect((await listWorkers(database)).map(({ id }) => id)).toEqual([first.id, again.id, third.id]);
    await unregisterWorker(database, first.id);
    expect((await start("studio", { formerId: third.id })).name).toBe("studio 3");
    expect(await namesNow()).toEqual(["studio 2", "studio 3"]);
  });

  it("assigns a new name if the host's name has changed or the worker's name was taken meanwhile", async () => {
    const before = await start("4f2a");
    expect((await start("4f", { formerId: before.id })).name).toBe("4f");
    expect(await namesNow()).toEqual(["4f"]);
    const [, lost] = [await start(), await start()];
    await silence(lost, "16 seconds");
    expect((await start()).name).toBe("studio 2");
    expect((await start("studio", { formerId: lost.id })).name).toBe("studio 3");
    expect((await start("attic", { formerId: randomUUID() })).name).toBe("attic");
  });

  it("restores a replaced worker that is still alive, on a copy of the data directory", async () => {
    const original = await start();
    const copy = await start("studio", { formerId: original.id });
    expect((await listWorkers(database)).map(({ id }) => id)).toEqual([copy.id]);
    await beat(original);
    expect(await namesNow()).toEqual(["studio", "studio"]);
    // Now each has its own data directory.
    await start("studio", { formerId: original.id });
    expect(await namesNow()).toEqual(["studio", "studio 2"]);
  });

  it("removes all others where only one process is possible", async () => {
    await start();
    await start("studio", { isAlone: true });
    expect(await namesNow()).toEqual(["studio"]);
  });

  it("removes a worker that leaves, and restores one that was forgotten while it was suspended", async () => {
    const worker = await start();
    await unregisterWorker(database, worker.id);
    expect(await namesNow()).toEqual([]);
    expect(await beat(worker)).toEqual(NO_ORDERS);
    expect(await namesNow()).toEqual(["studio"]);
  });

  it("uses a forgotten worker's known orders, and otherwise the stored ones", async () => {
    const worker = await start();
    const orders = { isPaused: true, isDraining: true, wantedConcurrency: 5 };
    await unregisterWorker(database, worker.id);
    expect(await beat(worker, { ...NO_ORDERS, ...orders })).toMatchObject(orders);
    await steerWorker(byTerminal(), { action: "resume-worker", workerId: worker.id });
    expect(await beat(worker, { ...NO_ORDERS, ...orders })).toMatchObject({ isPaused: false, isDraining: false });
  });

  it("lists each worker's work, with the current state of its videos", async () => {
    const worker = await start();
    const job = await database.db
      .insertInto("jobs")
      .values({
        ...toStored(JOB_DEFAULTS),
        job_name: "Monday",
        input_videos: ["a"],
        total_videos: 1,
        status: "Processing",
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const video = await database.db
      .insertInto("job_videos")
      .values({
        job_id: job.id,
        position: 0,
        link: "a",
        name: "clip.mp4",
        stage: "Rendering",
        progress: 40,
        status: "Processing",
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await beat({
      ...worker,
      concurrency: 3,
      doing: [video.id, randomUUID()],
      captionVideos: 2,
      speed: 3.25,
      pauseReasons: ["disk-full"],
      disk: "full",
    });
    const [listed] = await listWorkers(database);
    expect(listed).toMatchObject({
      id: worker.id,
      version: "1.2.3",
      media: MEDIA,
      pid: 7,
      concurrency: 3,
      isLost: false,
      captionVideos: 2,
      speed: 3.25,
      pauseReasons: ["disk-full"],
      disk: "full",
      secondsSinceBeat: expect.any(Number),
      tasks: [
        {
          jobId: job.id,
          jobName: "Monday",
          videoId: video.id,
          position: 0,
          videoName: "clip.mp4",
          stage: "Rendering",
          progress: 40,
        },
      ],
    });
    expect(listed!.secondsSinceBeat).toBeLessThan(15);
    await silence(worker, "20 seconds");
    expect((await listWorkers(database))[0]).toMatchObject({ isLost: true, tasks: [], captionVideos: 0 });
  });

  it("shows a worker of a version that does not report its ffmpeg", async () => {
    const worker = await start();
    await database.db
      .updateTable("workers")
      .set({ version: "1.2.2", media: null })
      .where("id", "=", worker.id)
      .execute();
    expect(await listWorkers(database)).toMatchObject([{ version: "1.2.2", media: null }]);
  });

  it("delivers each order with the next heartbeat, and notifies immediately", async () => {
    const [worker, other] = [await start(), await start()];
    const notified: string[] = [];
    const stop = await database.listen(FLEET_CHANNEL, (to) => notified.push(to));
    await steerWorker(byTerminal(), { action: "pause-worker", workerId: worker.id });
    await steerWorker(byTerminal(), { action: "set-concurrency", workerId: worker.id, concurrency: 5 });
    expect(await beat(worker)).toEqual({ ...NO_ORDERS, isPaused: true, wantedConcurrency: 5 });
    expect(await beat(other)).toEqual(NO_ORDERS);
    await steerWorker(byTerminal(), { action: "drain-worker", workerId: worker.id });
    expect(await beat(worker)).toMatchObject({ isPaused: true, isDraining: true });
    await steerWorker(byTerminal(), { action: "resume-worker", workerId: worker.id });
    expect(await beat(worker)).toMatchObject({ isPaused: false, isDraining: false });
    await expect.poll(() => notified).toEqual(Array.from({ length: 4 }, () => worker.id));
    await stop();
  });

  it.each(["pause-worker", "resume-worker", "drain-worker"] as const)(
    "rejects %s for a missing or lost worker",
    async (action) => {
      const workerId = randomUUID();
      const notThere = { code: "not_found", message: "This worker is no longer running." };
      await expect(steerWorker(byTerminal(), { action, workerId })).rejects.toMatchObject(notThere);
      const lost = await start();
      await silence(lost, "16 seconds");
      await expect(steerWorker(byTerminal(), { action, workerId: lost.id })).rejects.toMatchObject({
        code: "conflict",
      });
    },
  );

  it("drains no worker that cannot exit on its own, and forgets only lost ones", async () => {
    const builtIn = await start("studio", { canDrain: false });
    const drain = steerWorker(byTerminal(), { action: "drain-worker", workerId: builtIn.id });
    await expect(drain).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("Pause it instead"),
    });
    const forget = () => steerWorker(byTerminal(), { action: "forget-worker", workerId: builtIn.id });
    await expect(forget()).rejects.toMatchObject({ code: "conflict" });
    await silence(builtIn, "16 seconds");
    await forget();
    expect(await namesNow()).toEqual([]);
  });

  it("pauses the queue for all workers, including later ones, and records who paused it first", async () => {
    const worker = await start();
    const notified: string[] = [];
    const stop = await database.listen(FLEET_CHANNEL, (to) => notified.push(to));
    await pauseQueue({ db: database.db, actor: { id: null, email: "anna@studio.test" } });
    await pauseQueue({ db: database.db, actor: { id: null, email: "ben@studio.test" } });
    expect(await readQueuePause(database)).toMatchObject({ isPaused: true, pausedBy: "anna@studio.test" });
    expect(await beat(worker)).toEqual({ ...NO_ORDERS, isQueuePaused: true });
    expect(await beat(await start())).toEqual({ ...NO_ORDERS, isQueuePaused: true });
    await resumeQueue(byTerminal());
    expect(await readQueuePause(database)).toEqual({ isPaused: false, pausedAt: null, pausedBy: null });
    expect(await beat(worker)).toEqual(NO_ORDERS);
    await expect.poll(() => notified).toEqual([ALL_WORKERS, ALL_WORKERS]);
    await stop();
  });

  it("finds idle workers with all labels of a job, other than the one that asks", async () => {
    const asking = await start();
    const isThereOne = (...labels: string[]) => hasIdleWorker(database, { workerId: asking.id, labels });
    expect(await isThereOne()).toBe(false);
    const other = await start("attic", { labels: ["eu", "gpu"] });
    expect([await isThereOne(), await isThereOne("gpu"), await isThereOne("us")]).toEqual([true, true, false]);
    for (const busy of [
      { doing: [randomUUID()] },
      { captionVideos: 1 },
      { pauseReasons: ["worker-paused" as const] },
    ]) {
      await beat({ ...other, ...busy });
      expect(await isThereOne()).toBe(false);
    }
    await beat(other);
    expect(await isThereOne()).toBe(true);
    await silence(other, "16 seconds");
    expect(await isThereOne()).toBe(false);
  });

  it("counts live workers and those that take videos", async () => {
    expect(await readClaiming(database)).toMatchObject({ workers: 0, takingWorkers: 0 });
    const [paused, lost] = [await start(), await start(), await start()];
    await beat({ ...paused, pauseReasons: ["worker-paused"] });
    await silence(lost, "16 seconds");
    expect(await readClaiming(database)).toMatchObject({ workers: 2, takingWorkers: 1 });
  });
});
