import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { SystemAction } from "#contract/settings/system-action.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { notifyFleet } from "./fleet-channel.ts";
import { isLost } from "./list-workers.ts";

type WorkerAction = Extract<SystemAction, { workerId: string }>;

const ACTIONS: Record<WorkerAction["action"], string> = {
  "pause-worker": "worker.pause",
  "resume-worker": "worker.resume",
  "drain-worker": "worker.drain",
  "forget-worker": "worker.forget",
  "set-concurrency": "worker.set-concurrency",
};

const NOT_THERE = "This worker is no longer running.";
const IS_LOST = "This worker is not responding, so it can't be changed.";
const IS_ALIVE = "This worker is online. Only a lost worker can be removed.";
const CANNOT_DRAIN =
  "This worker runs inside the server and can't be drained. Pause it instead: it finishes its current videos and starts no new ones.";

/**
 * The worker follows when notified, or at its next heartbeat. Throws ClipmillError "not_found", or "conflict" if it
 * cannot follow.
 */
export function steerWorker(context: Pick<Context, "db"> & ActorContext, order: WorkerAction): Promise<void> {
  return context.db.transaction().execute(async (trx) => {
    const worker = await trx
      .selectFrom("workers")
      .select(["name", "can_drain", isLost.as("is_lost")])
      .where("id", "=", order.workerId)
      .forUpdate()
      .executeTakeFirst();
    if (!worker) throw new ClipmillError("not_found", NOT_THERE);
    if (order.action === "forget-worker") {
      if (!worker.is_lost) throw new ClipmillError("conflict", IS_ALIVE);
      await trx.deleteFrom("workers").where("id", "=", order.workerId).execute();
    } else await sendOrder(trx, order, worker);
    // An ended worker's id is meaningless.
    await writeAudit(trx, context.actor, { action: ACTIONS[order.action], subjects: [worker.name] });
  });
}

async function sendOrder(
  trx: Transaction<Tables>,
  order: Exclude<WorkerAction, { action: "forget-worker" }>,
  worker: { is_lost: boolean; can_drain: boolean },
): Promise<void> {
  if (worker.is_lost) throw new ClipmillError("conflict", IS_LOST);
  if (order.action === "drain-worker" && !worker.can_drain) throw new ClipmillError("conflict", CANNOT_DRAIN);
  await trx.updateTable("workers").set(columnsOf(order)).where("id", "=", order.workerId).execute();
  await notifyFleet(trx, order.workerId);
}

function columnsOf(order: Exclude<WorkerAction, { action: "forget-worker" }>) {
  switch (order.action) {
    case "pause-worker":
      return { is_paused: true };
    case "resume-worker":
      return { is_paused: false, is_draining: false };
    case "drain-worker":
      return { is_draining: true };
    case "set-concurrency":
      return { wanted_concurrency: order.concurrency };
  }
}
