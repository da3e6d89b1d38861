import type { HostName } from "#contract/sources/resting-hosts.ts";
import type { Context } from "../context.ts";
import { releaseWaiting } from "./release-waiting.ts";

/** Only the probe's response ends a rest; the host's waiting tasks then return to the queue. */
export async function recordHostAnswer(
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
  // After a crash here, the next check of waiting tasks releases them.
  await context.db.transaction().execute((trx) => releaseWaiting(context, trx, host));
}
