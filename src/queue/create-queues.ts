/** The queues, and by which rules tasks wait and are tried again in them. */
import type { PgBoss } from "pg-boss";
import { MAX_RETRIES } from "#contract/jobs.ts";
import type { Database } from "#database/open-database.ts";

export const VIDEOS = "videos" as const;
/** Where a task ends whose last attempt was cut off with its worker: somebody must still write the video's end. */
export const LOST_VIDEOS = "lost-videos";
/** Videos that a machine writes captions for; beside the renders, which would keep them waiting. */
export const CAPTIONS = "captions" as const;
export const LOST_CAPTIONS = "lost-captions";
export const QUEUES = [VIDEOS, LOST_VIDEOS, CAPTIONS, LOST_CAPTIONS];

/** The least pg-boss allows. With supervision every second, a dead worker is noticed in under 15 s. */
const HEARTBEAT_SECONDS = 10;
/** A task without an end: longer than any render; a hang is the watchdog's business. */
const EXPIRE_SECONDS = 23 * 60 * 60;
const RETRY_DELAY_SECONDS = 1;
const LONGEST_RETRY_DELAY_SECONDS = 120;
/** pg-boss drops tasks that wait for longer than this (two weeks, unless told); their videos would stay Queued for ever. */
const KEEP_WAITING_SECONDS = 10 * 365 * 24 * 60 * 60;

/** Makes the queues, or has those that are there be as they should now; the tasks in them, too. */
export async function createQueues(boss: PgBoss, { isEmbedded }: Pick<Database, "isEmbedded">): Promise<void> {
  // Alone on its database, a process that lives has lost nothing, whatever the machine's clock says.
  const heartbeatSeconds = isEmbedded ? null : HEARTBEAT_SECONDS;
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
    expireInSeconds: EXPIRE_SECONDS,
  };
  for (const [name, deadLetter] of [
    [VIDEOS, LOST_VIDEOS],
    [CAPTIONS, LOST_CAPTIONS],
  ] as const) {
    await boss.createQueue(name, { ...options, deadLetter });
    await boss.updateQueue(name, { ...options, deadLetter, heartbeatSeconds });
  }
  await indexOpenTasks(boss);
  await stopCounting(boss);
  // Those of a database that was embedded once, or of an earlier release.
  await boss.getDb().executeSql(
    `update pgboss.job set heartbeat_seconds = $1::int
     where name = any($2) and state <= 'active' and heartbeat_seconds is distinct from $1::int`,
    [heartbeatSeconds, [VIDEOS, CAPTIONS]],
  );
  // pg-boss learns a queue's facts at its first use, through its own handle; inside somebody's transaction on the
  // embedded database that query would wait for ever. So use it once before anybody does.
  for (const name of [VIDEOS, CAPTIONS]) {
    await boss.findJobs(name, { id: "00000000-0000-0000-0000-000000000000" });
  }
}

/**
 * pg-boss's own partial indexes know nothing of claimed and of held tasks: who asks for them would read the ended ones, too. It is made
 * here, and not by a migration, because pg-boss makes its table after those. When it is there, the table is not even locked.
 */
async function indexOpenTasks(boss: PgBoss): Promise<void> {
  const { rows } = await boss.getDb().executeSql("select to_regclass('pgboss.clipmill_open_tasks') as index");
  if ((rows as { index: string | null }[])[0]!.index !== null) return;
  await boss
    .getDb()
    .executeSql(`create index if not exists clipmill_open_tasks on pgboss.job (name, state) where state <= 'active'`);
}

/**
 * pg-boss counts all its tasks, ended ones, too, on each of its rounds, of which a dead worker's tasks need one a second. Nobody asks
 * for those counts, and beside 200,000 ended tasks they took the database 0.4 s each time. This is its own way to put them off.
 */
async function stopCounting(boss: PgBoss): Promise<void> {
  await boss
    .getDb()
    .executeSql(
      "update pgboss.version set monitor_backoff_on = 'infinity' where monitor_backoff_on is distinct from 'infinity'",
    );
}
