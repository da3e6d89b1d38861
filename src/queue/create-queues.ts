/** Creates the queues with the rules by which their tasks wait and are retried. */
import type { PgBoss } from "pg-boss";
import { MAX_RETRIES } from "#contract/jobs/jobs.ts";
import type { Database } from "#database/open-database.ts";
import { CAPTION_TASKS, VIDEO_TASKS } from "./task-kinds.ts";
import { indexOpenTasks, setHeartbeat, stopCounting } from "./task-table.ts";

/** The least pg-boss allows. With supervision every second, a dead worker is noticed in under 15 s. */
const HEARTBEAT_SECONDS = 10;
/** Longer than any render: the watchdog ends a render that hangs. */
const EXPIRE_SECONDS = 23 * 60 * 60;
const RETRY_DELAY_SECONDS = 1;
const LONGEST_RETRY_DELAY_SECONDS = 120;
/** pg-boss drops tasks that wait longer than this (two weeks by default); their videos would stay Queued for ever. */
const KEEP_WAITING_SECONDS = 10 * 365 * 24 * 60 * 60;

/** Creates the queues, or updates existing ones and the tasks in them. */
export async function createQueues(boss: PgBoss, { isEmbedded }: Pick<Database, "isEmbedded">): Promise<void> {
  // Alone on its database, a process that lives has lost nothing, whatever the machine's clock says.
  const heartbeatSeconds = isEmbedded ? null : HEARTBEAT_SECONDS;
  const forBoth = { retentionSeconds: KEEP_WAITING_SECONDS };
  const options = {
    ...forBoth,
    notify: true,
    retryLimit: MAX_RETRIES,
    retryDelay: RETRY_DELAY_SECONDS,
    retryBackoff: true,
    retryDelayMax: LONGEST_RETRY_DELAY_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
  };
  for (const { queue, lostQueue } of [VIDEO_TASKS, CAPTION_TASKS]) {
    await boss.createQueue(lostQueue, { ...forBoth, retryLimit: 1000, retryDelay: 5 });
    await boss.createQueue(queue, { ...options, deadLetter: lostQueue });
    await boss.updateQueue(queue, { ...options, deadLetter: lostQueue, heartbeatSeconds });
  }
  await indexOpenTasks(boss.getDb());
  await stopCounting(boss.getDb());
  await setHeartbeat(boss.getDb(), heartbeatSeconds);
  // pg-boss reads a queue's settings at its first use, through its own connection; inside a caller's transaction on the
  // embedded database that query would wait for ever. So each queue is used once here.
  for (const { queue } of [VIDEO_TASKS, CAPTION_TASKS]) {
    await boss.findJobs(queue, { id: "00000000-0000-0000-0000-000000000000" });
  }
}
