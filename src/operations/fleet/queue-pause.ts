/** A setting, so that the pause also applies to workers started later. */
import { sql } from "kysely";
import type { QueuePause } from "#contract/settings/system.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { removeSetting, writeSetting } from "../settings/write-setting.ts";
import { ALL_WORKERS, notifyFleet } from "./fleet-channel.ts";

const NAME = "queue_paused";

export const isQueuePaused = sql<boolean>`exists (select from settings where settings.name = ${NAME})`;

/** Videos in progress finish. Idempotent. */
export async function pauseQueue(context: Pick<Context, "db"> & ActorContext): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const isPaused = await trx.selectFrom("settings").select("name").where("name", "=", NAME).executeTakeFirst();
    if (isPaused) return;
    await writeSetting(trx, NAME, JSON.stringify({ by: context.actor.email }));
    await writeAudit(trx, context.actor, { action: "queue.pause" });
    await notifyFleet(trx, ALL_WORKERS);
  });
}

/** Idempotent. */
export async function resumeQueue(context: Pick<Context, "db"> & ActorContext): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    if (!(await removeSetting(trx, NAME))) return;
    await writeAudit(trx, context.actor, { action: "queue.resume" });
    await notifyFleet(trx, ALL_WORKERS);
  });
}

/** `pausedBy` is an email; null, like `pausedAt`, unless the queue is paused. */
export async function readQueuePause(context: Pick<Context, "db">): Promise<QueuePause> {
  const saved = await context.db
    .selectFrom("settings")
    .select(["value", "updated_at"])
    .where("name", "=", NAME)
    .executeTakeFirst();
  if (!saved) return { isPaused: false, pausedAt: null, pausedBy: null };
  const { by } = JSON.parse(saved.value) as { by: string };
  return { isPaused: true, pausedAt: saved.updated_at, pausedBy: by };
}
