import type { Kysely, Transaction } from "kysely";
import { type Clock, PgBoss, systemClock } from "pg-boss";
import packageJson from "pg-boss/package.json" with { type: "json" };
import { ClipmillError } from "#contract/errors.ts";
import type { Database } from "#database/open-database.ts";
import type { Tables } from "#database/tables.ts";
import type { Tracing } from "#ground/tracing/tracing.ts";
import { followClock } from "./claims/follow-clock.ts";
import { holdClaims } from "./claims/hold-claims.ts";
import { failAttempt, releaseClaimed } from "./claims/settle-claims.ts";
import { superviseInTurn } from "./claims/supervise-in-turn.ts";
import { suppressRepeatedErrors } from "./claims/suppress-repeated-errors.ts";
import { watchDueTasks } from "./claims/watch-due-tasks.ts";
import { type LentClaims, lendClaims } from "./claims/lend-claims.ts";
import { createQueues, LEASE_SECONDS } from "./create-queues.ts";
import type { TaskSlots } from "./slots/task-slots.ts";
import {
  CAPTION_TASKS,
  type CaptionTask,
  DELIVERY_TASKS,
  type DeliveryTask,
  FOLDER_TASKS,
  type FolderTask,
  MAIL_TASKS,
  type MailTask,
  RUN_TASKS,
  type RunTask,
  TASK_KINDS,
  TRANSCRIPT_TASKS,
  type TranscriptTask,
  VIDEO_TASKS,
  type VideoTask,
  WEBHOOK_TASKS,
  type WebhookTask,
} from "./task-kinds.ts";
import { openTaskQueue, type TaskQueue } from "./task-queue.ts";
import {
  type ClaimState,
  measureTasks,
  type QueueMeasure,
  readClaimState,
  readSchemaVersion,
  renewLeases,
  SCHEMA_VERSION,
  undoClaim,
} from "./task-table.ts";
import type { ClaimEnds } from "./run-claim.ts";

export type {
  CaptionTask,
  Claimed,
  ClaimedCaptionTask,
  ClaimedDeliveryTask,
  ClaimedTask,
  DeliveryTask,
  FolderTask,
  MailTask,
  QueueName,
  RunTask,
  TranscriptTask,
  VideoTask,
  WebhookTask,
} from "./task-kinds.ts";

const SUPERVISE_SECONDS = 1;
/** No other worker can die unnoticed, and these checks took a quarter of an idle Clipmill's CPU time. */
const SUPERVISE_EMBEDDED_SECONDS = 60;

/** Monotonic: a jump of the machine's clock does not delay pg-boss's next step. */
const STEADY_CLOCK: Clock = { ...systemClock, now: () => performance.timeOrigin + performance.now() };

export type Queue = {
  /** Ordered by start tag. */
  videos: TaskQueue<VideoTask>;
  /** Tasks of a batch run in order; batches take turns across all workers. */
  captions: TaskQueue<CaptionTask>;
  /** Of videos that other workers encode. */
  runs: TaskQueue<RunTask>;
  deliveries: TaskQueue<DeliveryTask>;
  /** Transcriptions of videos' speech. */
  transcripts: TaskQueue<TranscriptTask>;
  /** At most four of each webhook run at the same time, on all servers. */
  webhooks: TaskQueue<WebhookTask>;
  mails: TaskQueue<MailTask>;
  /** Checks of watch folders. */
  folders: TaskQueue<FolderTask>;
  /** Videos for workers without the database. */
  lent: LentClaims;
  /** False if no task of a worker waited or ran at the last check. Only for a process that works on a queue. */
  mayHaveTasks(): boolean;
  /** Rejects while the queue's database is unreachable. */
  measure(): Promise<QueueMeasure[]>;
  /** Of a task of any queue; null if it is neither. */
  readClaimState(trx: Transaction<Tables>, id: string): Promise<ClaimState | null>;
  /** Aborts a running task and puts it back without counting an attempt. */
  handBack(taskId: string): void;
  /** Aborts running tasks and puts them back without counting an attempt. */
  stopWorking(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * `onError` receives pg-boss's background errors. With `tracing`, attempts are spans. Throws ClipmillError "conflict" if this version needs another schema
 * of the queue.
 */
export async function openQueue(
  database: Database,
  onError: (error: Error) => void,
  tracing: Tracing | null = null,
): Promise<Queue> {
  await requireSchema(database.db);
  const damped = suppressRepeatedErrors(onError);
  const superviseSeconds = database.isEmbedded ? SUPERVISE_EMBEDDED_SECONDS : SUPERVISE_SECONDS;
  const boss = new PgBoss({
    ...database.bossOptions,
    schema: "pgboss",
    // See superviseInTurn.
    supervise: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    // Two thirds of the queue's load on the database; its warnings are not used.
    monitorVacuum: false,
    schedule: false,
    // Looks for tasks that wait for other tasks (default every 5 s); there are none.
    flowIntervalSeconds: 3_600,
    clock: STEADY_CLOCK,
  });
  boss.on("error", damped);
  try {
    await boss.start();
    await createQueues(boss, database);
    // On a server, other workers may run claimed tasks; their leases show whether they are alive.
    if (database.isEmbedded) await releaseClaimed(boss);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
  const claims = holdClaims((held) => renewLeases(boss.getDb(), held), { canBeTakenOver: !database.isEmbedded });
  const stopping = new AbortController();
  const closing = new AbortController();
  if (database.isEmbedded) followClock(boss, { signal: closing.signal, onError: damped });
  superviseInTurn(boss, { seconds: superviseSeconds, signal: closing.signal, onError: damped });
  const working = new Set<TaskSlots>();
  const listen: Database["listen"] = (...args) => database.listen(...args);
  const due = watchDueTasks(boss.getDb(), listen, { signal: stopping.signal, onError: damped });
  const ends: ClaimEnds = {
    complete: ({ queue, id, retryCount }) => boss.complete(queue, { id, retryCount }),
    fail: (ref, failed) => failAttempt(boss, ref, failed),
    undo: (ref) => undoClaim(boss.getDb(), ref),
  };
  const leaseSeconds = database.isEmbedded ? null : LEASE_SECONDS;
  const core = { boss, claims, ends, due, stopping: stopping.signal, working, tracing, leaseSeconds, onError: damped };

  const stopWorking = async (): Promise<void> => {
    stopping.abort();
    await Promise.all([...working].map((slots) => slots.settled()));
    await Promise.all(TASK_KINDS.map(async ({ lostQueue }) => lostQueue && boss.offWork(lostQueue, { wait: true })));
  };
  return {
    videos: openTaskQueue(core, VIDEO_TASKS),
    captions: openTaskQueue(core, CAPTION_TASKS),
    runs: openTaskQueue(core, RUN_TASKS),
    deliveries: openTaskQueue(core, DELIVERY_TASKS),
    transcripts: openTaskQueue(core, TRANSCRIPT_TASKS),
    webhooks: openTaskQueue(core, WEBHOOK_TASKS),
    mails: openTaskQueue(core, MAIL_TASKS),
    folders: openTaskQueue(core, FOLDER_TASKS),
    lent: lendClaims({ boss, ends, due, stopping: stopping.signal, isEmbedded: database.isEmbedded, onError: damped }),
    mayHaveTasks: () => due.mayHaveTasks(),
    measure: () => measureTasks(boss.getDb()),
    readClaimState,
    handBack: (taskId) => claims.handBack(taskId),
    stopWorking,
    stop: async () => {
      await stopWorking();
      closing.abort();
      claims.stop();
      await boss.stop({ graceful: false, close: true });
    },
  };
}

/**
 * Throws ClipmillError "conflict" unless our SQL matches the schema of pg-boss and of the database. Older databases
 * pass: pg-boss upgrades them.
 */
export async function requireSchema(
  db: Kysely<Tables>,
  installed: { version: string; pgboss: { schema: number } } = packageJson,
): Promise<void> {
  if (installed.pgboss.schema !== SCHEMA_VERSION) {
    throw new ClipmillError(
      "conflict",
      `The installed pg-boss ${installed.version} uses queue schema ${installed.pgboss.schema}, but this version of Clipmill needs ${SCHEMA_VERSION}. ` +
        "Install Clipmill's own dependencies again with `npm ci`.",
    );
  }
  const version = await readSchemaVersion(db);
  if (version !== null && version > SCHEMA_VERSION) {
    throw new ClipmillError(
      "conflict",
      `The queue in this database has schema ${version}, but this version of Clipmill needs ${SCHEMA_VERSION}. ` +
        "It was upgraded by a newer version of Clipmill. Start that version, or restore a backup.",
    );
  }
}
