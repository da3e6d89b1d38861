import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SystemAction } from "#contract/settings/system-action.ts";
import type { FleetWorker } from "#contract/settings/system.ts";
import type { Database } from "#database/open-database.ts";
import { listWorkers } from "#operations/fleet/list-workers.ts";
import { pauseQueue, resumeQueue } from "#operations/fleet/queue-pause.ts";
import { steerWorker } from "#operations/fleet/steer-worker.ts";
import { openQueue, type Queue } from "#queue/open-queue.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

const BEAT_MS = 3_000;

describe("worker orders", () => {
  let worker: TestWorker;
  let database: Database;
  /** Another machine, which takes the tasks that the worker leaves. */
  let elsewhere: Queue;
  const takenElsewhere: string[] = [];
  let drained = 0;
  let links = 0;

  beforeAll(async () => {
    worker = await openTestWorker({ openDatabase: async () => (database = await openPostgresDatabase()) });
    await makeClip(path.join(worker.folder, "clip.mp4"), { width: 180, height: 320, seconds: 2 });
    elsewhere = await openQueue(database, () => {});
  });
  afterAll(async () => {
    await elsewhere.stop();
    await worker[Symbol.asyncDispose]();
  });
  let stop: () => Promise<void>;
  beforeEach(async () => {
    drained = 0;
    takenElsewhere.length = 0;
    ({ stop } = await worker.start(1, { onDrained: () => (drained += 1) }));
  });
  afterEach(async () => {
    await stop();
    await worker.context.queue.stop();
    worker.context.queue = await openQueue(database, () => {});
  });

  /** Its download waits until released. */
  async function createHeld() {
    const id = `held-${(links += 1)}`;
    const file = path.join(worker.folder, "clip.mp4");
    worker.twin.add({ id, path: file, name: "clip.mp4", mimeType: "video/mp4", behaviour: { kind: "gated" } });
    const job = await worker.create({ input_videos: [worker.twin.links(id)] });
    const isStarted = () => worker.twin.requests.some(({ query }) => query.get("id") === id);
    const finish = () => {
      worker.twin.release(id);
      return worker.finish(job);
    };
    return { job, isStarted, finish };
  }

  const readWorker = async (): Promise<FleetWorker> => (await listWorkers(worker.context))[0]!;
  const readReasons = async () => (await readWorker()).pauseReasons;

  type Order = SystemAction extends infer Each
    ? Each extends { workerId: string }
      ? Omit<Each, "workerId">
      : never
    : never;
  async function steer(order: Order): Promise<void> {
    await steerWorker(worker.context, { ...order, workerId: (await readWorker()).id });
  }

  async function takeTheRest(count: number): Promise<void> {
    const slots = await elsewhere.videos.work(1, async (task) => void takenElsewhere.push(task.jobId));
    await expect.poll(() => takenElsewhere.length).toBe(count);
    slots.setPaused(true);
    await slots.settled();
  }

  it("reports its tasks and speed, and is removed after a clean stop", async () => {
    expect(await readWorker()).toMatchObject({
      concurrency: 1,
      pauseReasons: [],
      tasks: [],
      isLost: false,
      speed: null,
    });
    const { job, finish } = await createHeld();
    await expect
      .poll(async () => (await readWorker()).tasks, { timeout: 2 * BEAT_MS })
      .toMatchObject([{ jobId: job.id, jobName: "A job", position: 0, stage: "Fetching" }]);
    expect((await finish()).status).toBe("Completed");
    await expect.poll(async () => (await readWorker()).tasks, { timeout: 2 * BEAT_MS }).toEqual([]);
    await expect.poll(async () => (await readWorker()).speed, { timeout: 2 * BEAT_MS }).toBeGreaterThan(0);
    await stop();
    expect(await listWorkers(worker.context)).toEqual([]);
  });

  it("finishes running tasks and takes no new ones while paused", async () => {
    const first = await createHeld();
    await expect.poll(first.isStarted).toBe(true);
    await steer({ action: "pause-worker" });
    await expect.poll(readReasons, { timeout: 1_000 }).toEqual(["worker-paused"]);
    expect((await first.finish()).status).toBe("Completed");
    const second = await createHeld();
    await takeTheRest(1);
    expect(takenElsewhere).toEqual([second.job.id]);
    await steer({ action: "resume-worker" });
    const third = await createHeld();
    await expect.poll(third.isStarted).toBe(true);
    expect((await third.finish()).status).toBe("Completed");
    expect(drained).toBe(0);
  });

  it("applies an order with a missed notice at the next heartbeat", async () => {
    await database.db.updateTable("workers").set({ is_paused: true }).execute();
    await expect.poll(readReasons, { timeout: 2 * BEAT_MS }).toEqual(["worker-paused"]);
  });

  it("changes its concurrency without a restart", async () => {
    const [first, second, third] = [await createHeld(), await createHeld(), await createHeld()];
    await expect.poll(first.isStarted).toBe(true);
    await steer({ action: "set-concurrency", concurrency: 2 });
    await expect.poll(second.isStarted).toBe(true);
    expect(await readWorker()).toMatchObject({ concurrency: 2, wantedConcurrency: 2 });
    await steer({ action: "set-concurrency", concurrency: 1 });
    await expect.poll(async () => (await readWorker()).concurrency).toBe(1);
    expect((await first.finish()).status).toBe("Completed");
    // One is still running, so the other machine takes the third.
    await takeTheRest(1);
    expect(takenElsewhere).toEqual([third.job.id]);
    expect((await second.finish()).status).toBe("Completed");
  });

  it("reports that it is drained once running tasks have finished, unless the order was withdrawn", async () => {
    const first = await createHeld();
    await expect.poll(first.isStarted).toBe(true);
    await steer({ action: "drain-worker" });
    await expect.poll(readReasons).toEqual(["worker-draining"]);
    await steer({ action: "resume-worker" });
    await expect.poll(readReasons).toEqual([]);
    expect((await first.finish()).status).toBe("Completed");
    const second = await createHeld();
    await expect.poll(second.isStarted).toBe(true);
    expect(drained).toBe(0);

    await steer({ action: "drain-worker" });
    await expect.poll(readReasons).toEqual(["worker-draining"]);
    const third = await createHeld();
    await takeTheRest(1);
    expect(takenElsewhere).toEqual([third.job.id]);
    expect(drained).toBe(0);
    expect((await second.finish()).status).toBe("Completed");
    await expect.poll(() => drained).toBe(1);
  });

  it("finishes tasks that started between two drain orders before it reports that it is drained", async () => {
    await steer({ action: "set-concurrency", concurrency: 2 });
    const first = await createHeld();
    await expect.poll(first.isStarted).toBe(true);
    await steer({ action: "drain-worker" });
    await expect.poll(readReasons).toEqual(["worker-draining"]);
    await steer({ action: "resume-worker" });
    await expect.poll(readReasons).toEqual([]);
    const second = await createHeld();
    await expect.poll(second.isStarted).toBe(true);
    await steer({ action: "drain-worker" });
    await expect.poll(readReasons).toEqual(["worker-draining"]);
    expect((await first.finish()).status).toBe("Completed");
    await expect.poll(async () => (await readWorker()).tasks, { timeout: 2 * BEAT_MS }).toHaveLength(1);
    expect(drained).toBe(0);
    expect((await second.finish()).status).toBe("Completed");
    await expect.poll(() => drained).toBe(1);
  });

  it("takes nothing while the queue is paused, also when it starts during the pause", async () => {
    await pauseQueue({ ...worker.context, actor: { id: null, email: "anna@studio.test" } });
    await expect.poll(readReasons, { timeout: 1_000 }).toEqual(["queue-paused"]);
    await stop();
    await worker.context.queue.stop();
    worker.context.queue = await openQueue(database, () => {});
    ({ stop } = await worker.start(1));
    expect(await readReasons()).toEqual(["queue-paused"]);
    const first = await createHeld();
    await takeTheRest(1);
    expect(takenElsewhere).toEqual([first.job.id]);
    await resumeQueue(worker.context);
    const second = await createHeld();
    await expect.poll(second.isStarted).toBe(true);
    expect((await second.finish()).status).toBe("Completed");
  });
});
