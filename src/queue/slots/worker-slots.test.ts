import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "#database/open-database.ts";
import { openTestDatabase } from "#tests/support/servers/database.ts";
import { openQueue, type Queue } from "../open-queue.ts";

let database: Database;
let queue: Queue;
/** Of another process, as it were: what it is handed out shows that the first one had its chance. */
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

it("takes nothing while it begins paused, and all there is afterwards", async () => {
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

it("finishes what runs when it is paused, and never has more at work than its number", async () => {
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
  // What waited goes to somebody else, although there is a free place here.
  await expect.poll(() => elsewhere).toBe(3);
  expect(running.size).toBe(1);

  await other.stopWorking();
  slots.setPaused(false);
  slots.setPaused(true);
  slots.setPaused(false);
  await enqueue(3);
  await expect.poll(() => running.size).toBe(2);
  finishOne();
  // The third takes the free place.
  await expect.poll(() => running.size).toBe(2);
  finishOne();
  finishOne();
  await expect.poll(() => running.size).toBe(1);
  finishOne();
  expect(most).toBe(2);
});

/** Tasks that run until they are told to end. */
function holdTasks() {
  const running: (() => void)[] = [];
  return {
    running,
    hold: () => new Promise<void>((resolve) => void running.push(resolve)),
    finishOne: () => running.shift()!(),
  };
}

it("takes more at once when its number grows, and finishes what runs when it shrinks", async () => {
  const { running, hold, finishOne } = holdTasks();
  const slots = await queue.videos.work(1, hold);
  await enqueue(6);
  await expect.poll(() => running.length).toBe(1);
  slots.setCount(3);
  await expect.poll(() => running.length).toBe(3);
  slots.setCount(1);
  // The first two that end are not followed by others: those go to whoever else there is.
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

it("is settled after a pause once nothing runs any more", async () => {
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
