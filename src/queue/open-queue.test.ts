import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import type { Database } from "#database/open-database.ts";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { type ClaimedTask, openQueue, type Queue } from "./open-queue.ts";

let database: Database;
let queue: Queue;

beforeEach(async () => {
  database = await openTestDatabase();
  queue = await openQueue(database, () => {});
});

afterEach(async () => {
  await queue.stop();
  await database.close();
});

async function enqueue(count: number): Promise<void> {
  const tasks = Array.from({ length: count }, (_, i) => ({ videoId: randomUUID(), jobId: randomUUID(), startTag: i }));
  await database.db.transaction().execute((trx) => queue.videos.enqueue(trx, tasks));
}

/** Reopens the queue on an embedded database; statements fail if `reject` throws. */
async function openRejecting(
  reject: (text: string, values: unknown[] | undefined) => void,
  differences: Partial<Database> = {},
): Promise<void> {
  await queue.stop();
  await database.close();
  database = await openTestDatabase();
  const db = database.bossOptions.db!;
  const executeSql: typeof db.executeSql = async (text, values) => {
    reject(text, values);
    return await db.executeSql(text, values);
  };
  const bossOptions = { ...database.bossOptions, db: { ...db, executeSql } };
  queue = await openQueue({ ...database, bossOptions, ...differences }, () => {});
}

function untilAborted(task: ClaimedTask): Promise<void> {
  return new Promise((_, reject) => {
    task.signal.addEventListener("abort", () => reject(new Error("aborted")));
  });
}

async function readTask(): Promise<{ state: string; isLater: boolean }[]> {
  const { rows } = await sql<{ state: string; isLater: boolean }>`
    select state, start_after > now() + interval '4 minutes' as "isLater" from pgboss.job`.execute(database.db);
  return rows;
}

it("hands running tasks back at a stop, restarts them immediately as the same attempt, and claims no more", async () => {
  await enqueue(4);
  const started: ClaimedTask[] = [];
  await queue.videos.work(2, (task) => {
    started.push(task);
    return untilAborted(task);
  });
  await expect.poll(() => started.length).toBe(2);
  await queue.stop();
  expect(started).toHaveLength(2);

  queue = await openQueue(database, () => {});
  const again: ClaimedTask[] = [];
  await queue.videos.work(1, async (task) => void again.push(task));
  await expect.poll(() => again.length, { timeout: 20_000 }).toBe(4);
  expect(again.map((task) => [task.startTag, task.attempt])).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
});

it("hands out the videos of a caption batch in order, and alternates between two batches", async () => {
  const batches = [randomUUID(), randomUUID()].map((batchId) => ({
    batchId,
    tasks: Array.from({ length: 12 }, () => ({ taskId: randomUUID(), batchId })),
  }));
  for (const { tasks } of batches) {
    await database.db.transaction().execute((trx) => queue.captions.enqueue(trx, tasks));
    // Physical row order must not matter.
    await sql`update pgboss.job set data = data where id in (${sql.join(tasks.slice(0, 4).map((task) => task.taskId))})`.execute(
      database.db,
    );
  }
  const started: string[] = [];
  await queue.captions.work(1, async ({ taskId }) => void started.push(taskId));
  await expect.poll(() => started.length, { timeout: 20_000 }).toBe(24);
  for (const { tasks } of batches) {
    const ids = tasks.map(({ taskId }): string => taskId);
    expect(started.filter((id) => ids.includes(id))).toEqual(ids);
    expect(started.slice(0, 6).filter((id) => ids.includes(id))).toHaveLength(3);
  }
});

it("counts an attempt cut off by a kill, and hands over the task when no attempt is left", async () => {
  await enqueue(1);
  const attempts: number[] = [];
  const waits: boolean[] = [];
  for (let kill = 1; kill <= 4; kill += 1) {
    const claimed = Promise.withResolvers<void>();
    await queue.videos.work(1, (task) => {
      attempts.push(task.attempt);
      claimed.resolve();
      return new Promise(() => {});
    });
    await claimed.promise;
    // Simulates a kill: the task stays claimed by a dead process.
    queue = await openQueue(database, () => {});
    const { rows } = await sql<{ waits: boolean }>`
      select start_after > now() as waits from pgboss.job where state = 'retry'`.execute(database.db);
    waits.push(...rows.map((row) => row.waits));
    await sql`update pgboss.job set start_after = now()`.execute(database.db);
  }
  expect(attempts).toEqual([1, 2, 3, 4]);
  // No delay the first time; a task that is cut off repeatedly may be what crashes the program.
  expect(waits).toEqual([false, true, true]);
  const lost: number[] = [];
  await queue.videos.workLost(async (task) => void lost.push(task.startTag));
  await expect.poll(() => lost).toEqual([0]);
});

it("delays the next attempt by what the error requests", async () => {
  await enqueue(1);
  await queue.videos.work(1, () => {
    const sentence = "Google Drive asks to slow down.";
    return Promise.reject(new ClipmillError("rate_limited", sentence, { retryAfterSeconds: 300 }));
  });
  await expect.poll(readTask, { timeout: 10_000 }).toEqual([{ state: "retry", isLater: true }]);
});

it("starts the next task immediately", async () => {
  await enqueue(8);
  let done = 0;
  const startedMs = performance.now();
  await queue.videos.work(1, async () => {
    done += 1;
  });
  await expect.poll(() => done, { timeout: 20_000 }).toBe(8);
  // With a polling interval in between, it would take seven seconds.
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});

it("keeps waiting tasks for years", async () => {
  await enqueue(1);
  const { rows } = await sql<{ kept: boolean }>`
    select keep_until > now() + interval '5 years' as kept from pgboss.job`.execute(database.db);
  expect(rows).toEqual([{ kept: true }]);
});

it("ignores a delayed attempt of a forgotten task when a new task has its id", async () => {
  const task = { videoId: randomUUID(), jobId: randomUUID(), startTag: 0 };
  const inTransaction = database.db.transaction();
  await inTransaction.execute((trx) => queue.videos.enqueue(trx, [task]));
  const held = Promise.withResolvers<void>();
  const started: number[] = [];
  await queue.videos.work(1, async ({ attempt }) => {
    started.push(attempt);
    await held.promise;
  });
  await expect.poll(() => started).toEqual([1]);
  // Meanwhile its attempts are used up, and the operator retries the video.
  await sql`update pgboss.job set state = 'failed'`.execute(database.db);
  await inTransaction.execute(async (trx) => {
    const forgotten = await queue.videos.forget(trx, [task.videoId]);
    await queue.videos.enqueue(trx, [{ ...task, attemptsBefore: 4 }], { after: forgotten! });
  });
  const other = await openQueue(database, () => {});
  const again = Promise.withResolvers<void>();
  await other.videos.work(1, ({ attempt, isRetried }) => {
    expect([attempt, isRetried]).toEqual([5, true]);
    again.resolve();
    return new Promise(() => {});
  });
  await again.promise;
  held.resolve();
  await queue.stopWorking();
  expect(await readTask()).toMatchObject([{ state: "active" }]);
  // Simulates a kill, so that the queue can stop.
  await sql`update pgboss.job set state = 'completed'`.execute(database.db);
});

it("does not count hand-backs towards the delay after a kill", async () => {
  await enqueue(1);
  const claim = async (): Promise<void> => {
    const claimed = Promise.withResolvers<void>();
    await queue.videos.work(1, (task) => {
      claimed.resolve();
      return untilAborted(task);
    });
    await claimed.promise;
  };
  for (let handedBack = 0; handedBack < 6; handedBack += 1) {
    await claim();
    await queue.stop();
    queue = await openQueue(database, () => {});
  }
  await claim();
  // Simulates a kill, as above.
  queue = await openQueue(database, () => {});
  const { rows } = await sql<{ isSoon: boolean }>`
    select start_after < now() + interval '5 seconds' as "isSoon" from pgboss.job`.execute(database.db);
  expect(rows).toEqual([{ isSoon: true }]);
});

it("pauses longer and longer between claims while leases cannot be renewed", async () => {
  let isOverloaded = true;
  const rejectBeats = (text: string): void => {
    if (isOverloaded && text.includes("set heartbeat_on = now()")) throw new Error("No response.");
  };
  // As on a server, where other workers could take over claims.
  await openRejecting(rejectBeats, { isEmbedded: false });
  await enqueue(1);
  const pausesMs: number[] = [];
  let gaveUpMs: number | null = null;
  const done = Promise.withResolvers<void>();
  await queue.videos.work(1, async (task) => {
    expect(task.attempt).toBe(1);
    if (gaveUpMs !== null) pausesMs.push(performance.now() - gaveUpMs);
    if (pausesMs.length === 2) isOverloaded = false;
    if (!isOverloaded) return done.resolve();
    await untilAborted(task).finally(() => (gaveUpMs = performance.now()));
  });
  await done.promise;
  expect(pausesMs[0]).toBeGreaterThan(990);
  expect(pausesMs[1]).toBeGreaterThan(1_990);
}, 60_000);

it.each([
  ["done", () => Promise.resolve(), "completed"],
  ["failed", () => Promise.reject(new Error("No video.")), "retry"],
])("records that a task is %s once the database accepts it", async (_, handle, state) => {
  let rejections = 0;
  await openRejecting((text, values) => {
    // Rejects the settling of a task, as on a full disk.
    if (rejections === 0 || !text.includes("completed_on") || values?.[0] !== "videos") return;
    rejections -= 1;
    throw new Error("The disk is full.");
  });
  await enqueue(1);
  await queue.videos.work(1, () => {
    rejections = 4;
    return handle();
  });
  await expect.poll(readTask, { timeout: 10_000 }).toMatchObject([{ state }]);
  expect(rejections).toBe(0);
});
