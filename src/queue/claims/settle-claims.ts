/** Settling has no effect on claims that another worker has taken over. */
import type { PgBoss } from "pg-boss";
import { ClipmillError } from "#contract/errors.ts";
import { type ClaimRef, listClaimed, startFirstRetriesNow } from "../task-table.ts";

const MIN_DELAY_SECONDS = 1;
/** Limits the delay that an outside service requests. */
const MAX_DELAY_SECONDS = 60 * 60;

/**
 * Fails an attempt; pg-boss repeats this without effect. The next attempt starts after the error's delay, or after a second, doubled each
 * time. `attempt` counts from 1.
 */
export async function failAttempt(
  boss: PgBoss,
  { queue, id, retryCount }: ClaimRef,
  { error, attempt }: { error: unknown; attempt: number },
): Promise<void> {
  const requestedSeconds = error instanceof ClipmillError ? error.retryAfterSeconds : null;
  const delaySeconds = requestedSeconds ?? MIN_DELAY_SECONDS * 2 ** (attempt - 1);
  await boss.fail(queue, { id, retryCount }, error as Error);
  // Not if the attempt has put the task back before it failed, or another worker has taken over.
  const [task] = await boss.findJobs(queue, { id });
  if (task?.state !== "retry" || task.retryCount !== retryCount) return;
  const startAfter = Math.min(Math.max(delaySeconds, MIN_DELAY_SECONDS), MAX_DELAY_SECONDS);
  await boss.update(queue, undefined, { id, startAfter });
}

/** Fails all claims, so that the tasks of a killed process start again. Only while no other process has claims. */
export async function releaseClaimed(boss: PgBoss): Promise<void> {
  const claimed = await listClaimed(boss.getDb());
  for (const task of claimed) {
    await boss.fail(task.name, task.id, { message: "The worker stopped in the middle of this task." });
  }
  await startFirstRetriesNow(
    boss.getDb(),
    claimed.map(({ id }) => id),
  );
}
