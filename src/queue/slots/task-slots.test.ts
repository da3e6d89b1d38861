import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "#database/open-database.ts";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { openQueue, type Queue } from "../open-queue.ts";

let database: Database;
let queue: Queue;
/** Another process: its getting a task shows that the first one had its chance. */
let other: Queue;

beforeEach(async () => {
  database = await openTestDatabase();
  queue = await openQueue(database, () => {});
  other = await openQueue(database, () => {});
});
afterEach(async () => {
  await other.stop();
  await queue.stop();
  await database.close();
});

async function enqueue(count: number): Promise<void> {
  const tasks = Array.from({ length: count }, (_, i) => ({ videoId: randomUUID(), jobId: randomUUID(), startTag: i }));
  await database.db.transaction().execute((trx) => queue.videos.enqueue(trx, tasks));
}

it("takes nothing while it starts paused, and tasks after resuming", async () => {
  let taken = 0;
  let elsewhere = 0;
  const slots = await queue.videos.work(2, async () => void (taken += 1), { isPaused: true });
  await enqueue(6);
  const others = await other.videos.work(1, async () => void (elsewhere += 1));
  await expect.poll(() => elsewhere).toBe(6);
  expect(taken).toBe(0);
  others.setPaused(true);
  slots.setPaused(false);
  await enqueue(3);
  await expect.poll(() => taken + elsewhere).toBe(9);
  expect(taken).toBeGreaterThan(0);
});

it("finishes running tasks when paused, and never exceeds its concurrency", async () => {
  const running = new Set<() => void>();
  let most = 0;
  const slots = await queue.videos.work(2, async () => {
    await new Promise<void>((resolve) => {
      running.add(resolve);
      most = Math.max(most, running.size);
    });
  });
  const finishOne = () => {
    const [resolve] = running;
    running.delete(resolve!);
    resolve!();
  };
  await enqueue(5);
  await expect.poll(() => running.size).toBe(2);
  slots.setPaused(true);
  finishOne();
  let elsewhere = 0;
  await other.videos.work(1, async () => void (elsewhere += 1));
  // Waiting tasks go elsewhere although a slot is free here.
  await expect.poll(() => elsewhere).toBe(3);
  expect(running.size).toBe(1);

  await other.stopWorking();
  slots.setPaused(false);
  slots.setPaused(true);
  slots.setPaused(false);
  await enqueue(3);
  await expect.poll(() => running.size).toBe(2);
  finishOne();
  // The third takes the free slot.
  await expect.poll(() => running.size).toBe(2);
  finishOne();
  finishOne();
  await expect.poll(() => running.size).toBe(1);
  finishOne();
  expect(most).toBe(2);
});

/** Creates tasks that run until the test finishes them. */
function holdTasks() {
  const running: (() => void)[] = [];
  return {
    running,
    hold: () => new Promise<void>((resolve) => void running.push(resolve)),
    finishOne: () => running.shift()!(),
  };
}

it("takes more tasks when its slots increase, and finishes running ones when they decrease", async () => {
  const { running, hold, finishOne } = holdTasks();
  const slots = await queue.videos.work(1, hold);
  await enqueue(6);
  await expect.poll(() => running.length).toBe(1);
  slots.setCount(3);
  await expect.poll(() => running.length).toBe(3);
  slots.setCount(1);
  // The slots of the first two stay empty: other tasks go elsewhere.
  finishOne();
  finishOne();
  let elsewhere = 0;
  const others = await other.videos.work(1, async () => void (elsewhere += 1));
  await expect.poll(() => elsewhere).toBe(3);
  expect(running).toHaveLength(1);
  others.setPaused(true);
  await others.settled();

  finishOne();
  slots.setCount(2);
  await enqueue(3);
  await expect.poll(() => running.length).toBe(2);
  finishOne();
  await expect.poll(() => running.length).toBe(2);
  finishOne();
  finishOne();
});

it("settles after a pause once nothing runs", async () => {
  const { running, hold, finishOne } = holdTasks();
  const slots = await queue.videos.work(2, hold);
  await enqueue(1);
  await expect.poll(() => running.length).toBe(1);
  slots.setPaused(true);
  let isSettled = false;
  const settled = slots.settled().then(() => (isSettled = true));
  await enqueue(1);
  const others = await other.videos.work(1, async () => {});
  await expect.poll(async () => (await other.measure()).find(({ name }) => name === "videos")!.waiting).toBe(0);
  others.setPaused(true);
  expect(isSettled).toBe(false);
  finishOne();
  await settled;
});
