/** What becomes of a claim: kept, undone, or its attempt failed. A claim that somebody else has by now stays as it is. */
import { setTimeout as delay } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { ClipmillError } from "#contract/errors.ts";
import { QUEUES } from "./create-queues.ts";
import type { Attempt } from "./hold-claims.ts";

const AGAIN_MS = 500;
const SHORTEST_DELAY_SECONDS = 1;
/** An outside service may ask for a longer pause than this. */
const LONGEST_DELAY_SECONDS = 60 * 60;

/** Says that these attempts are alive. Answers those that still have their task. */
export async function beat(boss: PgBoss, attempts: Attempt[]): Promise<Attempt[]> {
  const { rows } = await boss.getDb().executeSql(
    `update pgboss.job task set heartbeat_on = now()
     from unnest($1::text[], $2::uuid[], $3::int[]) as held (queue, id, retry_count)
     where task.name = held.queue and task.id = held.id and task.state = 'active' and task.retry_count = held.retry_count
     returning task.name as queue, task.id, task.retry_count as "retryCount"`,
    [attempts.map((one) => one.queue), attempts.map((one) => one.id), attempts.map((one) => one.retryCount)],
  );
  return rows as Attempt[];
}

/**
 * Settles a claim, again and again until the database takes it: where no lease ends, a task that is not settled stays claimed
 * until the next start. pg-boss itself tries once, and after this to no effect. Tried once in any case; then it rejects with
 * the signal's reason. `settle` must do no harm when it is done once more.
 */
export async function settleUntilTaken(
  settle: () => Promise<unknown>,
  { signal, onFault }: { signal: AbortSignal; onFault: (fault: Error) => void },
): Promise<void> {
  for (;;) {
    try {
      await settle();
      return;
    } catch (error) {
      onFault(error as Error);
      await delay(AGAIN_MS, undefined, { signal });
    }
  }
}

/**
 * Undoes a claim: the next one is the same attempt again, under a number of its own, so that pg-boss settling the undone
 * one cannot hit it. It is handed out again after `waitSeconds`. pg-boss's own `restore` would also revive an ended task.
 */
export async function handBack(
  db: ReturnType<PgBoss["getDb"]>,
  queue: string,
  task: { id: string; retryCount: number },
  { isHeld = false, waitSeconds = 0 } = {},
): Promise<void> {
  await db.executeSql(
    `update pgboss.job set state = 'created', heartbeat_on = null, blocked = $4, retry_limit = retry_limit + 1,
       start_after = case when $5::float8 > 0 then now() + $5 * interval '1 s' else start_after end,
       -- It would take each of these claims for a failed attempt; the wait after one that failed is set by itself.
       retry_backoff = false,
       data = jsonb_set(data, '{handedBack}', to_jsonb(coalesce((data->>'handedBack')::int, 0) + 1))
     where name = $1 and id = $2 and state = 'active' and retry_count = $3`,
    [queue, task.id, task.retryCount, isHeld, waitSeconds],
  );
}

/**
 * Fails an attempt, as pg-boss will do once more to no effect, and puts off the next one: by what the error asks for, else by
 * a second, and twice as long each time. `attempt` counts from 1.
 */
export async function failUntil(
  boss: PgBoss,
  queue: string,
  task: { id: string; retryCount: number },
  { error, attempt }: { error: unknown; attempt: number },
): Promise<void> {
  const asked = error instanceof ClipmillError ? error.retryAfterSeconds : null;
  const delaySeconds = asked ?? SHORTEST_DELAY_SECONDS * 2 ** (attempt - 1);
  await boss.fail(queue, task, error as Error);
  const startAfter = Math.min(Math.max(delaySeconds, SHORTEST_DELAY_SECONDS), LONGEST_DELAY_SECONDS);
  await boss.update(queue, undefined, { id: task.id, startAfter });
}

/** Fails what is claimed, whoever claimed it. Returns how many tasks there were. */
export async function releaseClaimed(boss: PgBoss): Promise<number> {
  const claimed = await boss
    .getDb()
    .executeSql("select name, id from pgboss.job where name = any($1) and state = 'active'", [QUEUES]);
  for (const task of claimed.rows as { name: string; id: string }[]) {
    await boss.fail(task.name, task.id, { message: "The worker stopped in the middle of this task." });
  }
  // Cut off once, it goes on at once; cut off again, it may be what ends the program, and waits as after any failure.
  await boss
    .getDb()
    .executeSql(
      "update pgboss.job set start_after = pgboss.job_now() where id = any($1) and state = 'retry' and retry_count = 0",
      [claimed.rows.map(({ id }: { id: string }) => id)],
    );
  return claimed.rows.length;
}
