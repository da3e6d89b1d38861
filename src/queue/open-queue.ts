/** pg-boss behind the few verbs Clipmill needs: one task per video, handed out fairly, tried again when a worker dies. */
import type { Transaction } from "kysely";
import { type Clock, fromKysely, type Job, PgBoss, systemClock, type WorkOptions } from "pg-boss";
import { MAX_RETRIES } from "#contract/jobs.ts";
import type { Database } from "#database/open-database.ts";
import type { Tables } from "#database/tables.ts";
import { CAPTIONS, createQueues, LOST_CAPTIONS, LOST_VIDEOS, QUEUES, VIDEOS } from "./create-queues.ts";
import { dampFaults } from "./damp-faults.ts";
import { followClock } from "./follow-clock.ts";
import { countOn, forget, type Forgotten, isOpen } from "./forget-tasks.ts";
import { createGrowingPause, type GrowingPause } from "./growing-pause.ts";
import { holdClaims } from "./hold-claims.ts";
import { cancelWaiting, holdWaiting, moveWaiting, releaseWaiting } from "./order-videos.ts";
import { measureTasks, type QueueMeasure } from "./measure-tasks.ts";
import { createPausable } from "./pausable-worker.ts";
import { beat, failUntil, handBack, releaseClaimed, settleUntilTaken } from "./settle-claims.ts";
import { isTurnNear, type QueueName, wake } from "./waiting-tasks.ts";
import { openWorkerSlots, type WorkerSlots } from "./worker-slots.ts";

/** A clock that nobody sets: an hour's jump of the machine's would hold up what pg-boss does next for as long. */
const STEADY_CLOCK: Clock = { ...systemClock, now: () => performance.timeOrigin + performance.now() };
/** Claims are kept by us, all of a process at once; pg-boss's own beats are put out of the way. */
const NO_BEATS_SECONDS = 24 * 60 * 60;

/** What a task names. The task's own id is the video's id; the lowest start tag is handed out first. */
export type VideoTask = { videoId: string; jobId: string; startTag: number } & Numbering;

/** pg-boss counts the claims of a task, so that a stale one changes nothing; not every claim is an attempt. */
type Numbering = {
  /** Attempts that were made before this task: an attempt's number never comes twice. */
  attemptsBefore?: number;
  /** Claims that are none of this task's attempts: they were undone, or are those of a task that was forgotten. */
  handedBack?: number;
};

export type ClaimedTask = VideoTask & {
  /** 1 for the first attempt. */
  attempt: number;
  /** False when the queue gives the task up after this attempt. */
  isRetried: boolean;
  /** Aborts when the claim is lost or the work stops. */
  signal: AbortSignal;
};

/** One video of a batch that a machine writes captions for. The task's own id is the caption task's id. */
export type CaptionTask = { taskId: string; batchId: string } & Numbering;
export type ClaimedCaptionTask = CaptionTask & Pick<ClaimedTask, "attempt" | "isRetried" | "signal">;

/** A task as a slot got it, and how that slot pauses when it cannot keep what it claims. */
type Turn<Data> = { task: Job<Data>; pause: GrowingPause };

export type Queue = {
  /** What waits and runs in each queue, counted now. Rejects while the queue's database does not answer. */
  measure(): Promise<QueueMeasure[]>;
  /**
   * Adds tasks inside the caller's transaction; with `isHeld` they are not handed out until they are released. `after` are
   * those of the same videos that were forgotten.
   */
  enqueueVideos(
    trx: Transaction<Tables>,
    tasks: VideoTask[],
    options?: { isHeld?: boolean; after?: Forgotten },
  ): Promise<void>;
  /** Gives those tasks that wait the start tags from `firstTag` on, in the order they have. Returns how many wait. */
  moveVideos(trx: Transaction<Tables>, videoIds: string[], firstTag: number): Promise<number>;
  /** Hands out none of these tasks until they are released; those that run are finished. */
  holdVideos(trx: Transaction<Tables>, videoIds: string[]): Promise<void>;
  /** Undoes the claim of an attempt at a task, not counted as one, and holds it. */
  holdClaimed(trx: Transaction<Tables>, task: VideoTask, attempt: number): Promise<void>;
  /** Undoes a claim without counting an attempt, and hands out the task again after `waitSeconds` or when woken. */
  putBack(
    trx: Transaction<Tables>,
    queue: QueueName,
    task: { id: string; attempt: number } & Numbering,
    waitSeconds: number,
  ): Promise<void>;
  /** Hands out waiting tasks now, and held ones once they are released. Returns the ids of those that waited. */
  wake(trx: Transaction<Tables>, queue: QueueName, ids: readonly string[]): Promise<string[]>;
  /** Returns true if the task is running, or will be handed out as soon as a slot is free. */
  isTurnNear(trx: Transaction<Tables>, id: string): Promise<boolean>;
  /**
   * Hands out held tasks again, none of them before the queue's present time, unless they were moved in front of all
   * others. Returns the lowest start tag, or null when none waits.
   */
  releaseVideos(trx: Transaction<Tables>, videoIds: string[], virtualTime: number): Promise<number | null>;
  /** Forgets ended tasks, so that their videos can be enqueued again. Returns null, forgetting none, when one still runs. */
  forgetVideos(trx: Transaction<Tables>, videoIds: string[]): Promise<Forgotten | null>;
  /** Takes those tasks back that wait, inside the caller's transaction. Returns the ids of their videos. */
  cancelWaitingVideos(trx: Transaction<Tables>, videoIds: string[]): Promise<string[]>;
  /** Takes tasks back, claimed ones, too, inside the caller's transaction. */
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
  /** Runs `handle` for each task that no attempt is left for; again, maybe much later, until the database takes that it was. */
  workLostVideos(handle: (task: VideoTask) => Promise<void>): Promise<void>;
  /** Whether a task of the video waits or runs: then one that was lost is an earlier one, and no business of the video any more. */
  isVideoEnqueued(trx: Transaction<Tables>, videoId: string): Promise<boolean>;
  /** As enqueueVideos. They are handed out in the order given; batches take turns. */
  enqueueCaptions(trx: Transaction<Tables>, tasks: CaptionTask[], options?: { after?: Forgotten }): Promise<void>;
  /** As forgetVideos. */
  forgetCaptions(trx: Transaction<Tables>, taskIds: string[]): Promise<Forgotten | null>;
  /** Takes waiting tasks back, inside the caller's transaction. */
  cancelCaptions(trx: Transaction<Tables>, taskIds: string[]): Promise<void>;
  /** As workVideos; `concurrency` holds for each batch on all machines together, too. */
  workCaptions(
    concurrency: number,
    handle: (task: ClaimedCaptionTask) => Promise<void>,
    options?: { isPaused: boolean },
  ): Promise<WorkerSlots>;
  /** As workLostVideos. */
  workLostCaptions(handle: (task: CaptionTask) => Promise<void>): Promise<void>;
  /** As isVideoEnqueued. */
  isCaptionEnqueued(trx: Transaction<Tables>, taskId: string): Promise<boolean>;
  /** Hands back what a dead process left claimed. Only for the sole process on an embedded database. */
  releaseClaimed(): Promise<number>;
  /** Takes no more tasks, aborts the running ones, waits for them and hands them back, not counted as an attempt. */
  stopWorking(): Promise<void>;
  /** Stops working, then everything else. */
  stop(): Promise<void>;
};

/** Starts the queue on the database. `hearFault` hears what pg-boss could not do in the background. */
export async function openQueue(database: Database, hearFault: (fault: Error) => void): Promise<Queue> {
  const onFault = dampFaults(hearFault);
  const boss = new PgBoss({
    ...database.bossOptions,
    schema: "pgboss",
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    // Asked by each worker every second, it was two thirds of what the queue costs the database; nobody hears its warnings.
    monitorVacuum: false,
    useListenNotify: true,
    schedule: false,
    clock: STEADY_CLOCK,
  });
  boss.on("error", onFault);
  await boss.start();
  await createQueues(boss, database);
  const claims = holdClaims((attempts) => beat(boss, attempts), { canBeTakenOver: !database.isEmbedded });
  const stopFollowing = database.isEmbedded ? followClock(boss, onFault) : () => {};
  const stopping = new AbortController();

  const work = async <Data extends Numbering>(
    queue: string,
    { task, pause }: Turn<Data>,
    handle: (task: Data & { attempt: number; isRetried: boolean; signal: AbortSignal }) => Promise<void>,
  ): Promise<void> => {
    const claim = claims.hold({ queue, id: task.id, retryCount: task.retryCount });
    const signal = AbortSignal.any([task.signal, claim.signal, stopping.signal]);
    const attempt = task.retryCount + 1 - (task.data.handedBack ?? 0);
    const untilTaken = { signal: AbortSignal.any([claim.signal, stopping.signal]), onFault };
    try {
      // A task can be fetched while the work is being stopped.
      signal.throwIfAborted();
      const { attemptsBefore = 0 } = task.data;
      await handle({ ...task.data, attempt: attemptsBefore + attempt, isRetried: attempt <= MAX_RETRIES, signal });
      await settleUntilTaken(() => boss.complete(queue, task), untilTaken);
      pause.reset();
    } catch (error) {
      // Of a claim that somebody else has, nothing is undone.
      if (stopping.signal.aborted || claim.signal.aborted) await handBack(boss.getDb(), queue, task);
      else {
        await settleUntilTaken(() => failUntil(boss, queue, task, { error, attempt }), untilTaken);
        pause.reset();
      }
      throw error;
    } finally {
      claim.release();
      // A machine with too much to do would claim the same again at once, for ever; another one may take it meanwhile.
      if (claim.isGivenUp()) {
        onFault(new Error(`A claim could not be renewed; this slot is paused for ${pause.nextMs() / 1_000} s.`));
        await pause.wait(stopping.signal);
      }
    }
  };

  /** A worker each, and not one with a concurrency: only so can each be told to go on at once, and their number change. */
  const startWorkers = async <Data extends object>(
    queue: string,
    concurrency: number,
    options: WorkOptions,
    isPaused: boolean,
    act: (turn: Turn<Data>) => Promise<void>,
  ): Promise<WorkerSlots> => {
    const refresh = {
      heartbeatRefreshSeconds: NO_BEATS_SECONDS,
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 1,
    };
    const createWorker: Parameters<typeof openWorkerSlots>[0] = (run) => {
      const pause = createGrowingPause();
      const start = async (): Promise<string> => {
        const workerId: string = await boss.work<Data>(queue, { ...refresh, ...options }, async ([task]) => {
          // After a task the next one is fetched at once, not a polling interval later.
          boss.notifyWorker(workerId);
          if (task) await run(() => act({ task, pause }));
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
    measure: () => measureTasks(boss),
    enqueueVideos: async (trx, tasks, { isHeld = false, after } = {}) => {
      const jobs = tasks.map((task) => ({ id: task.videoId, data: task, priority: -task.startTag }));
      await boss.insert(VIDEOS, jobs, { db: fromKysely(trx) });
      const ids = tasks.map((task) => task.videoId);
      if (after) await countOn(trx, VIDEOS, after);
      if (isHeld) await holdWaiting(trx, { queue: VIDEOS, ids });
    },
    moveVideos: (trx, ids, firstTag) => moveWaiting(trx, { queue: VIDEOS, ids }, firstTag),
    holdVideos: (trx, ids) => holdWaiting(trx, { queue: VIDEOS, ids }),
    holdClaimed: async (trx, task, attempt) => {
      const claim = { id: task.videoId, retryCount: claimsBefore(task, attempt) };
      await handBack(fromKysely(trx), VIDEOS, claim, { isHeld: true });
    },
    putBack: async (trx, queue, { id, attempt, ...numbering }, waitSeconds) => {
      await handBack(fromKysely(trx), queue, { id, retryCount: claimsBefore(numbering, attempt) }, { waitSeconds });
    },
    wake,
    isTurnNear,
    releaseVideos: (trx, ids, virtualTime) => releaseWaiting(trx, { queue: VIDEOS, ids }, virtualTime),
    forgetVideos: (trx, videoIds) => forget(trx, VIDEOS, videoIds),
    cancelWaitingVideos: (trx, ids) => cancelWaiting(trx, { queue: VIDEOS, ids }),
    cancelVideos: async (trx, videoIds) => {
      if (videoIds.length > 0) await boss.cancel(VIDEOS, videoIds, { db: fromKysely(trx) });
    },
    workVideos: (concurrency, handle, { isPaused } = { isPaused: false }) =>
      startWorkers<VideoTask>(VIDEOS, concurrency, {}, isPaused, (turn) => work(VIDEOS, turn, handle)),
    workLostVideos: async (handle) => {
      await boss.work<VideoTask>(LOST_VIDEOS, { pollingIntervalSeconds: 1 }, async ([task]) => {
        if (task) await handle(task.data);
      });
    },
    isVideoEnqueued: (trx, videoId) => isOpen(trx, VIDEOS, videoId),
    enqueueCaptions: async (trx, tasks, { after } = {}) => {
      const jobs = tasks.map((task, place) => ({
        id: task.taskId,
        data: task,
        group: { id: task.batchId },
        priority: -place,
      }));
      await boss.insert(CAPTIONS, jobs, { db: fromKysely(trx) });
      if (after) await countOn(trx, CAPTIONS, after);
    },
    forgetCaptions: (trx, taskIds) => forget(trx, CAPTIONS, taskIds),
    cancelCaptions: async (trx, taskIds) => {
      if (taskIds.length > 0) await boss.cancel(CAPTIONS, taskIds, { db: fromKysely(trx) });
    },
    workCaptions: (concurrency, handle, { isPaused } = { isPaused: false }) => {
      const options = { groupConcurrency: concurrency };
      return startWorkers<CaptionTask>(CAPTIONS, concurrency, options, isPaused, (turn) =>
        work(CAPTIONS, turn, handle),
      );
    },
    workLostCaptions: async (handle) => {
      await boss.work<CaptionTask>(LOST_CAPTIONS, { pollingIntervalSeconds: 1 }, async ([task]) => {
        if (task) await handle(task.data);
      });
    },
    isCaptionEnqueued: (trx, taskId) => isOpen(trx, CAPTIONS, taskId),
    releaseClaimed: () => releaseClaimed(boss),
    stopWorking,
    stop: async () => {
      await stopWorking();
      claims.stop();
      stopFollowing();
      await boss.stop({ graceful: false, close: true });
    },
  };
}

/** Returns the number of an attempt's claim as pg-boss counts them, from 0. */
function claimsBefore({ attemptsBefore = 0, handedBack = 0 }: Numbering, attempt: number): number {
  return attempt - 1 - attemptsBefore + handedBack;
}
