import type { HostName } from "#contract/hosts.ts";
import type { Context } from "../context.ts";
import { releaseWaiting } from "./release-waiting.ts";

/**
 * Notes that a host has answered: earlier failures no longer count. A rest ends only with the answer to the task that may try
 * the host; then all that wait for it are in the queue again.
 */
export async function noteHostAnswer(
  context: Pick<Context, "db" | "queue">,
  host: HostName,
  taskId: string,
): Promise<void> {
  const ended = await context.db
    .deleteFrom("hosts")
    .where("host", "=", host)
    .where((eb) => eb.or([eb("rests_until", "is", null), eb("probe_task", "=", taskId)]))
    .returning("rests_until")
    .executeTakeFirst();
  if (!ended || ended.rests_until === null) return;
  // Killed before this, the next look at what waits does it.
  await context.db.transaction().execute((trx) => releaseWaiting(context, trx, host));
}
