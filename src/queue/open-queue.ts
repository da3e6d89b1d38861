import type { Transaction } from "kysely";
import { type Clock, PgBoss, systemClock } from "pg-boss";
import type { Database } from "#database/open-database.ts";
import type { Tables } from "#database/tables.ts";
import { createQueues } from "./create-queues.ts";
import { suppressRepeatedFaults } from "./faults/suppress-repeated-faults.ts";
import { followClock } from "./claims/follow-clock.ts";
import { holdClaims } from "./claims/hold-claims.ts";
import { watchDueTasks } from "./claims/watch-due-tasks.ts";
import { requireSchema } from "./require-schema.ts";
import { releaseClaimed } from "./claims/settle-claims.ts";
import {
  ALL_QUEUES,
  CAPTION_TASKS,
  type CaptionTask,
  DELIVERY_TASKS,
  type DeliveryTask,
  VIDEO_TASKS,
  type VideoTask,
} from "./task-kinds.ts";
import { openTaskQueue, type TaskQueue } from "./task-queue.ts";
import { isClaimable, measureTasks, type QueueMeasure, renewLeases } from "./task-table.ts";

export type {
  CaptionTask,
  Claimed,
  ClaimedCaptionTask,
  ClaimedDeliveryTask,
  ClaimedTask,
  DeliveryTask,
  QueueName,
  VideoTask,
} from "./task-kinds.ts";

/** Monotonic, so that a jump of the machine's clock does not delay pg-boss's next step. */
const STEADY_CLOCK: Clock = { ...systemClock, now: () => performance.timeOrigin + performance.now() };

const IDLE_SUPERVISION_SECONDS = 60;

export type Queue = {
  /** One task per video, ordered by start tag. */
  videos: TaskQueue<VideoTask>;
  /** One task per video of a caption batch, in order; batches take turns, across all workers. */
  captions: TaskQueue<CaptionTask>;
  /** One task per delivery, one at a time per destination. */
  deliveries: TaskQueue<DeliveryTask>;
  /** Rejects while the queue's database is unreachable. */
  measure(): Promise<QueueMeasure[]>;
  /** Returns true if a task of any queue runs, or will be handed out to the next free slot. */
  isClaimable(trx: Transaction<Tables>, id: string): Promise<boolean>;
  /** Releases tasks claimed by a dead process. Only for the sole process on an embedded database. */
  releaseClaimed(): Promise<number>;
  /** Aborts running tasks and puts them back without counting an attempt. */
  stopWorking(): Promise<void>;
  /** Stops working, then everything else. */
  stop(): Promise<void>;
};

/**
 * Starts the queues. `onError` receives pg-boss's background errors. Throws ClipmillError "conflict" if the queue's
 * schema is not the one this version needs.
 */
export async function openQueue(database: Database, onError: (fault: Error) => void): Promise<Queue> {
  await requireSchema(database.db);
  const damped = suppressRepeatedFaults(onError);
  const boss = new PgBoss({
    ...database.bossOptions,
    schema: "pgboss",
    // Finds dead workers, which an embedded database cannot have.
    superviseIntervalSeconds: database.isEmbedded ? IDLE_SUPERVISION_SECONDS : 1,
    monitorIntervalSeconds: database.isEmbedded ? IDLE_SUPERVISION_SECONDS : 1,
    // Each worker ran this query every second, two thirds of the queue's load on the database; nothing uses its
    // warnings.
    monitorVacuum: false,
    useListenNotify: true,
    schedule: false,
    clock: STEADY_CLOCK,
  });
  boss.on("error", damped);
  await boss.start();
  await createQueues(boss, database);
  const claims = holdClaims((held) => renewLeases(boss.getDb(), held), { canBeTakenOver: !database.isEmbedded });
  const stopFollowing = database.isEmbedded ? followClock(boss, damped) : () => {};
  const stopping = new AbortController();
  const due = watchDueTasks(boss, damped);
  const core = { boss, claims, due, stopping: stopping.signal, onError: damped };

  const stopWorking = async (): Promise<void> => {
    stopping.abort();
    await Promise.all(ALL_QUEUES.map((name) => boss.offWork(name, { wait: true })));
  };
  return {
    videos: openTaskQueue(core, VIDEO_TASKS),
    captions: openTaskQueue(core, CAPTION_TASKS),
    deliveries: openTaskQueue(core, DELIVERY_TASKS),
    measure: () => measureTasks(boss.getDb()),
    isClaimable,
    releaseClaimed: () => releaseClaimed(boss),
    stopWorking,
    stop: async () => {
      await stopWorking();
      claims.stop();
      stopFollowing();
      due.stop();
      await boss.stop({ graceful: false, close: true });
    },
  };
}
