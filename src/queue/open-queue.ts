/** pg-boss behind the few verbs Clipmill needs: one task per video, handed out fairly, tried again when a worker dies. */
import { sql, type Transaction } from "kysely";
import { fromKysely, type Job, PgBoss, type WorkOptions } from "pg-boss";
import { ClipmillError } from "#contract/errors.ts";
import { MAX_RETRIES } from "#contract/jobs.ts";
import type { Database } from "#database/open-database.ts";
import type { Tables } from "#database/tables.ts";
import { holdWaiting, moveWaiting, releaseWaiting } from "./order-videos.ts";
import { createPausable } from "./pausable-worker.ts";
import { openWorkerSlots, type WorkerSlots } from "./worker-slots.ts";

const VIDEOS = "videos";
/** Where a task ends whose last attempt was cut off with its worker: somebody must still write the video's end. */
const LOST_VIDEOS = "lost-videos";
/** Videos that a machine writes captions for; beside the renders, which would keep them waiting. */
const CAPTIONS = "captions";
const LOST_CAPTIONS = "lost-captions";
const QUEUES = [VIDEOS, LOST_VIDEOS, CAPTIONS, LOST_CAPTIONS];

/** The least pg-boss allows. With supervision every second, a dead worker is noticed in under 15 s. */
const HEARTBEAT_SECONDS = 10;
/** A task without an end: longer than any render; a hang is the watchdog's business. */
const EXPIRE_SECONDS = 23 * 60 * 60;
const RETRY_DELAY_SECONDS = 1;
const LONGEST_RETRY_DELAY_SECONDS = 120;
/** An outside service may ask for a longer pause than our own. */
const LONGEST_ASKED_DELAY_SECONDS = 60 * 60;
/** pg-boss drops tasks that wait for longer than this (two weeks, unless told); their videos would stay Queued for ever. */
const KEEP_WAITING_SECONDS = 10 * 365 * 24 * 60 * 60;

/** What a task names. The task's own id is the video's id; the lowest start tag is handed out first. */
export type VideoTask = {
  videoId: string;
  jobId: string;
  startTag: number;
  /** Attempts that were made before this task: an attempt's number never comes twice. */
  attemptsBefore?: number;
} & HandedBack;

/** How often the task's claim was undone. pg-boss counts each claim, so that a stale one changes nothing; attempts do not. */
type HandedBack = { handedBack?: number };

export type ClaimedTask = VideoTask & {
  /** 1 for the first attempt. */
  attempt: number;
  /** False when the queue gives the task up after this attempt. */
  isRetried: boolean;
  /** Aborts when the claim is lost or the work stops. */
  signal: AbortSignal;
};

/** One video of a batch that a machine writes captions for. The task's own id is the caption task's id. */
export type CaptionTask = { taskId: string; batchId: string } & HandedBack;
export type ClaimedCaptionTask = CaptionTask & Pick<ClaimedTask, "attempt" | "isRetried" | "signal">;

/** What waits and runs in one queue. */
type QueueMeasure = {
  name: string;
  /** Tasks that could start now. */
  waiting: number;
  /** Tasks that wait to be released. */
  held: number;
  /** Tasks that are tried again later. */
  postponed: number;
  active: number;
  /** 0 when none waits. */
  oldestWaitingSeconds: number;
};

export type Queue = {
  /** What waits and runs in each queue, counted now. Rejects while the queue's database does not answer. */
  measure(): Promise<QueueMeasure[]>;
  /** Adds tasks inside the caller's transaction; with `isHeld` they are not handed out until they are released. */
  enqueueVideos(trx: Transaction<Tables>, tasks: VideoTask[], options?: { isHeld: boolean }): Promise<void>;
  /** Gives those tasks that wait the start tags from `firstTag` on, in the order they have. Returns how many wait. */
  moveVideos(trx: Transaction<Tables>, videoIds: string[], firstTag: number): Promise<number>;
  /** Hands out none of these tasks until they are released; those that run are finished. */
  holdVideos(trx: Transaction<Tables>, videoIds: string[]): Promise<void>;
  /** Undoes the claim of an attempt at a task, not counted as one, and holds it. */
  holdClaimed(trx: Transaction<Tables>, task: VideoTask, attempt: number): Promise<void>;
  /**
   * Hands out held tasks again, none of them before the queue's present time, unless they were moved in front of all
   * others. Returns the lowest start tag, or null when none waits.
   */
  releaseVideos(trx: Transaction<Tables>, videoIds: string[], virtualTime: number): Promise<number | null>;
  /** Forgets ended tasks, so that their videos can be enqueued again. Returns false when one of them still runs. */
  forgetVideos(trx: Transaction<Tables>, videoIds: string[]): Promise<boolean>;
  /** Takes waiting tasks back, inside the caller's transaction. */
  cancelVideos(trx: Transaction<Tables>, videoIds: string[]): Promise<void>;
  /**
   * Runs `handle` for each task, `concurrency` at once. A rejection makes the queue try the task again, later: after the
   * `retryAfterSeconds` of a ClipmillError that has them.
   */
  workVideos(
    concurrency: number,
    handle: (task: ClaimedTask) => Promise<void>,
    options?: { isPaused: boolean },
  ): Promise<WorkerSlots>;
  /** Runs `handle` for each task that no attempt is left for. */
  workLostVideos(handle: (task: VideoTask) => Promise<void>): Promise<void>;
  /** Adds tasks inside the caller's transaction. */
  enqueueCaptions(trx: Transaction<Tables>, tasks: CaptionTask[]): Promise<void>;
  /** As forgetVideos. */
  forgetCaptions(trx: Transaction<Tables>, taskIds: string[]): Promise<boolean>;
  /** Takes waiting tasks back, inside the caller's transaction. */
  cancelCaptions(trx: Transaction<Tables>, taskIds: string[]): Promise<void>;
  /** As workVideos; `concurrency` holds for each batch on all machines together, too. */
  workCaptions(
    concurrency: number,
    handle: (task: ClaimedCaptionTask) => Promise<void>,
    options?: { isPaused: boolean },
  ): Promise<WorkerSlots>;
  /** Runs `handle` for each caption task that no attempt is left for. */
  workLostCaptions(handle: (task: CaptionTask) => Promise<void>): Promise<void>;
  /** Hands back what a dead process left claimed. Only for the sole process on an embedded database. */
  releaseClaimed(): Promise<number>;
  /** Takes no more tasks, aborts the running ones, waits for them and hands them back, not counted as an attempt. */
  stopWorking(): Promise<void>;
  /** Stops working, then everything else. */
  stop(): Promise<void>;
};

/** Starts the queue on the database. `onFault` hears what pg-boss could not do in the background. */
export async function openQueue(database: Database, onFault: (fault: Error) => void): Promise<Queue> {
  const boss = new PgBoss({
    ...database.bossOptions,
    schema: "pgboss",
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    useListenNotify: true,
    schedule: false,
  });
  boss.on("error", onFault);
  await boss.start();
  await createQueues(boss);
  const stopping = new AbortController();

  const work = async <Data extends HandedBack>(
    queue: string,
    task: Job<Data>,
    handle: (task: Data & { attempt: number; isRetried: boolean; signal: AbortSignal }) => Promise<void>,
  ): Promise<void> => {
    const signal = AbortSignal.any([task.signal, stopping.signal]);
    try {
      // A task can be fetched while the work is being stopped.
      signal.throwIfAborted();
      const attempt = task.retryCount + 1 - (task.data.handedBack ?? 0);
      await handle({ ...task.data, attempt, isRetried: attempt <= MAX_RETRIES, signal });
    } catch (error) {
      if (stopping.signal.aborted) await handBack(boss.getDb(), queue, task);
      else if (error instanceof ClipmillError && error.retryAfterSeconds !== null) {
        await failUntil(boss, queue, task, error, error.retryAfterSeconds);
      }
      throw error;
    }
  };

  /** A worker each, and not one with a concurrency: only so can each be told to go on at once, and their number change. */
  const startWorkers = async <Data extends object>(
    queue: string,
    concurrency: number,
    options: WorkOptions,
    isPaused: boolean,
    act: (task: Job<Data>) => Promise<void>,
  ): Promise<WorkerSlots> => {
    const refresh = { heartbeatRefreshSeconds: 1, pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 };
    const createWorker: Parameters<typeof openWorkerSlots>[0] = (run) => {
      const start = async (): Promise<string> => {
        const workerId: string = await boss.work<Data>(queue, { ...refresh, ...options }, async ([task]) => {
          // After a task the next one is fetched at once, not a polling interval later.
          boss.notifyWorker(workerId);
          if (task) await run(() => act(task));
        });
        return workerId;
      };
      return createPausable(boss, queue, { start, signal: stopping.signal, onFault });
    };
    const slots = openWorkerSlots(createWorker, { count: concurrency, isPaused });
    await slots.settled();
    return slots;
  };

  const stopWorking = async (): Promise<void> => {
    stopping.abort();
    await Promise.all(QUEUES.map((name) => boss.offWork(name, { wait: true })));
  };

  return {
    measure: () => measure(boss),
    enqueueVideos: async (trx, tasks, { isHeld } = { isHeld: false }) => {
      const jobs = tasks.map((task) => ({ id: task.videoId, data: task, priority: -task.startTag }));
      await boss.insert(VIDEOS, jobs, { db: fromKysely(trx) });
      const ids = tasks.map((task) => task.videoId);
      if (isHeld) await holdWaiting(trx, { queue: VIDEOS, ids });
    },
    moveVideos: (trx, ids, firstTag) => moveWaiting(trx, { queue: VIDEOS, ids }, firstTag),
    holdVideos: (trx, ids) => holdWaiting(trx, { queue: VIDEOS, ids }),
    holdClaimed: async (trx, task, attempt) => {
      const retryCount = attempt - 1 - (task.attemptsBefore ?? 0) + (task.handedBack ?? 0);
      await handBack(fromKysely(trx), VIDEOS, { id: task.videoId, retryCount }, { isHeld: true });
    },
    releaseVideos: (trx, ids, virtualTime) => releaseWaiting(trx, { queue: VIDEOS, ids }, virtualTime),
    forgetVideos: (trx, videoIds) => forget(trx, VIDEOS, videoIds),
    cancelVideos: async (trx, videoIds) => {
      if (videoIds.length > 0) await boss.cancel(VIDEOS, videoIds, { db: fromKysely(trx) });
    },
    workVideos: (concurrency, handle, { isPaused } = { isPaused: false }) =>
      startWorkers<VideoTask>(VIDEOS, concurrency, {}, isPaused, (task) =>
        work(VIDEOS, task, ({ attempt, ...claimed }) =>
          handle({ ...claimed, attempt: attempt + (claimed.attemptsBefore ?? 0) }),
        ),
      ),
    workLostVideos: async (handle) => {
      await boss.work<VideoTask>(LOST_VIDEOS, { pollingIntervalSeconds: 1 }, async ([task]) => {
        if (task) await handle(task.data);
      });
    },
    enqueueCaptions: async (trx, tasks) => {
      const jobs = tasks.map((task) => ({ id: task.taskId, data: task, group: { id: task.batchId } }));
      await boss.insert(CAPTIONS, jobs, { db: fromKysely(trx) });
    },
    forgetCaptions: (trx, taskIds) => forget(trx, CAPTIONS, taskIds),
    cancelCaptions: async (trx, taskIds) => {
      if (taskIds.length > 0) await boss.cancel(CAPTIONS, taskIds, { db: fromKysely(trx) });
    },
    workCaptions: (concurrency, handle, { isPaused } = { isPaused: false }) => {
      const options = { groupConcurrency: concurrency };
      return startWorkers<CaptionTask>(CAPTIONS, concurrency, options, isPaused, (task) =>
        work(CAPTIONS, task, handle),
      );
    },
    workLostCaptions: async (handle) => {
      await boss.work<CaptionTask>(LOST_CAPTIONS, { pollingIntervalSeconds: 1 }, async ([task]) => {
        if (task) await handle(task.data);
      });
    },
    releaseClaimed: () => releaseClaimed(boss),
    stopWorking,
    stop: async () => {
      await stopWorking();
      await boss.stop({ graceful: false, close: true });
    },
  };
}

async function createQueues(boss: PgBoss): Promise<void> {
  const forBoth = { retentionSeconds: KEEP_WAITING_SECONDS };
  for (const lost of [LOST_VIDEOS, LOST_CAPTIONS]) {
    await boss.createQueue(lost, { ...forBoth, retryLimit: 1000, retryDelay: 5 });
  }
  const options = {
    ...forBoth,
    notify: true,
    retryLimit: MAX_RETRIES,
    retryDelay: RETRY_DELAY_SECONDS,
    retryBackoff: true,
    retryDelayMax: LONGEST_RETRY_DELAY_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
  };
  await boss.createQueue(VIDEOS, { ...options, deadLetter: LOST_VIDEOS });
  await boss.createQueue(CAPTIONS, { ...options, deadLetter: LOST_CAPTIONS });
  // pg-boss learns a queue's facts at its first use, through its own handle; inside somebody's transaction on the
  // embedded database that query would wait for ever. So use it once before anybody does.
  for (const name of [VIDEOS, CAPTIONS]) {
    await boss.findJobs(name, { id: "00000000-0000-0000-0000-000000000000" });
  }
}

/** Forgets ended tasks. Returns false, forgetting none, when one of them still waits or runs. */
async function forget(trx: Transaction<Tables>, queue: string, ids: string[]): Promise<boolean> {
  const running = sql`state in ('created', 'retry', 'active')`;
  const where = sql`name = ${queue} and id = any(${ids}::uuid[])`;
  const { rows } = await sql`select from pgboss.job where ${where} and ${running} for update`.execute(trx);
  if (rows.length > 0) return false;
  await sql`delete from pgboss.job where ${where}`.execute(trx);
  return true;
}

/** The two conditions are those of pg-boss's own partial indexes: ended tasks, of which there are many, are not read. */
async function measure(boss: PgBoss): Promise<QueueMeasure[]> {
  const { rows } = await boss.getDb().executeSql(
    `select queue as name,
       (count(*) filter (where state < 'active' and not blocked and start_after <= now()))::int as waiting,
       (count(*) filter (where blocked))::int as held,
       (count(*) filter (where state < 'active' and not blocked and start_after > now()))::int as postponed,
       (count(*) filter (where state = 'active'))::int as active,
       coalesce(extract(epoch from now() - min(greatest(created_on, start_after))
         filter (where state < 'active' and not blocked and start_after <= now())), 0)::float8 as "oldestWaitingSeconds"
     from unnest($1::text[]) as queue left join (
       select name, state, blocked, start_after, created_on from pgboss.job where state < 'active'
       union all
       select name, state, false, start_after, created_on from pgboss.job where state = 'active'
     ) as task on task.name = queue
     group by queue order by queue`,
    [[VIDEOS, CAPTIONS]],
  );
  return rows as QueueMeasure[];
}

/**
 * Undoes a claim: the next one is the same attempt again, under a number of its own, so that pg-boss settling the undone
 * one cannot hit it. pg-boss's own `restore` would also revive an ended task.
 */
async function handBack(
  db: ReturnType<PgBoss["getDb"]>,
  queue: string,
  task: { id: string; retryCount: number },
  { isHeld } = { isHeld: false },
): Promise<void> {
  await db.executeSql(
    `update pgboss.job set state = 'created', heartbeat_on = null, blocked = $4, retry_limit = retry_limit + 1,
       data = jsonb_set(data, '{handedBack}', to_jsonb(coalesce((data->>'handedBack')::int, 0) + 1))
     where name = $1 and id = $2 and state = 'active' and retry_count = $3`,
    [queue, task.id, task.retryCount, isHeld],
  );
}

/** Fails an attempt, as pg-boss will do once more to no effect, and puts off the next one by what was asked for. */
async function failUntil(
  boss: PgBoss,
  queue: string,
  task: { id: string; retryCount: number },
  error: Error,
  delaySeconds: number,
): Promise<void> {
  await boss.fail(queue, task, error);
  const startAfter = Math.min(Math.max(delaySeconds, RETRY_DELAY_SECONDS), LONGEST_ASKED_DELAY_SECONDS);
  await boss.update(queue, undefined, { id: task.id, startAfter });
}

async function releaseClaimed(boss: PgBoss): Promise<number> {
  const claimed = await boss
    .getDb()
    .executeSql("select name, id from pgboss.job where name = any($1) and state = 'active'", [QUEUES]);
  for (const task of claimed.rows as { name: string; id: string }[]) {
    await boss.fail(task.name, task.id, { message: "The worker ended in the middle of this task." });
  }
  return claimed.rows.length;
}
