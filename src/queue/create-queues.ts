import type { PgBoss } from "pg-boss";
import { MAX_RETRIES } from "#contract/jobs/jobs.ts";
import type { Database } from "#database/open-database.ts";
import { TASK_KINDS } from "./task-kinds.ts";
import { indexOpenTasks, setHeartbeat, stopCounting } from "./task-table.ts";

/** pg-boss's minimum. With supervision every second, a dead worker is detected within 15 s. */
export const LEASE_SECONDS = 10;
/** Longer than any render: the watchdog ends hung ones. */
const EXPIRE_SECONDS = 23 * 60 * 60;
/** For tasks that limit their attempts themselves. */
const UNLIMITED = 1_000_000;
const RETRY_DELAY_SECONDS = 1;
const MAX_RETRY_DELAY_SECONDS = 120;
/** pg-boss drops tasks that wait longer (default two weeks); their videos would stay Queued forever. */
const KEEP_WAITING_SECONDS = 10 * 365 * 24 * 60 * 60;
/** A late report names its claim, so its task must not be forgotten before. */
const KEEP_ENDED_SECONDS = 24 * 60 * 60;

/** Also updates existing queues and their tasks. */
export async function createQueues(boss: PgBoss, { isEmbedded }: Pick<Database, "isEmbedded">): Promise<void> {
  // The only process on a database cannot lose a lease, whatever the clock shows.
  const heartbeatSeconds = isEmbedded ? null : LEASE_SECONDS;
  const forAll = { retentionSeconds: KEEP_WAITING_SECONDS, deleteAfterSeconds: KEEP_ENDED_SECONDS };
  const options = {
    ...forAll,
    notify: false,
    retryLimit: MAX_RETRIES,
    retryDelay: RETRY_DELAY_SECONDS,
    retryBackoff: true,
    retryDelayMax: MAX_RETRY_DELAY_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
  };
  for (const { queue, lostQueue } of TASK_KINDS) {
    if (lostQueue) await boss.createQueue(lostQueue, { ...forAll, retryLimit: 1000, retryDelay: 5 });
    const own = lostQueue ? { ...options, deadLetter: lostQueue } : { ...options, retryLimit: UNLIMITED };
    await boss.createQueue(queue, own);
    await boss.updateQueue(queue, { ...own, heartbeatSeconds });
  }
  await indexOpenTasks(boss.getDb());
  await stopCounting(boss.getDb());
  await setHeartbeat(boss.getDb(), heartbeatSeconds);
}
