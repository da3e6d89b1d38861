import {
  claimDelivery,
  endLostDelivery,
  failDelivery,
  findStoppedDeliveries,
  postponeDelivery,
} from "#operations/deliveries/claim-delivery.ts";
import { createHostRecords } from "#operations/hosts/host-records.ts";
import type { ClaimedDeliveryTask, DeliveryTask } from "#queue/open-queue.ts";
import type { PauseReasons } from "../fleet/pause-reasons.ts";
import { OWN_WAITS } from "../hosts/own-wait.ts";
import { runAttempt } from "../run-attempt.ts";
import { type TaskWork, workOnTasks } from "../work-on-tasks.ts";
import type { WorkerContext } from "../worker-context.ts";
import { deliverFiles } from "./deliver-files.ts";

/** In this worker. Each sends several files concurrently, and mostly waits for the network. */
const MAX_AT_ONCE = 2;

/** One per destination across all workers. */
export function workOnDeliveries(worker: WorkerContext, pause: PauseReasons): Promise<TaskWork<DeliveryTask>> {
  const { context } = worker;
  return workOnTasks(worker, pause, {
    queue: context.queue.deliveries,
    concurrency: MAX_AT_ONCE,
    cancelIdOf: (task) => task.jobId,
    findStopped: (tasks) => findStoppedDeliveries(context, tasks),
    runAttempt: (task, cancelSignal) => deliverJob(worker, task, cancelSignal),
    endLost: (lost) => endLostDelivery(context, lost),
  });
}

/** Rejects like runAttempt. */
async function deliverJob(worker: WorkerContext, task: ClaimedDeliveryTask, cancelSignal: AbortSignal): Promise<void> {
  const { context } = worker;
  const { deliveryId, jobId, attempt } = task;
  const attemptRef = { taskId: deliveryId, attempt };
  // A destination with a limit cools down, and a full one ends the delivery: this worker's own disk remains.
  const ownWaits = { no_space: worker.ownWaits?.no_space ?? OWN_WAITS.no_space };
  await runAttempt({ ...worker, ownWaits }, task, cancelSignal, {
    hosts: createHostRecords(worker, deliveryId),
    facts: { jobId, deliveryId },
    noun: "delivery",
    claim: () => claimDelivery(context, task, attempt),
    waitingSince: ({ delivery }) => delivery.waiting_since,
    make: (claim, { signal, contact }) => deliverFiles(worker, claim, { attempt, signal, cancelSignal, contact }),
    complete: async (end) => {
      if ("reason" in end) await failDelivery(context, attemptRef, end.reason);
      return end;
    },
    // The cancel has already ended the delivery.
    cancel: async () => {},
    postpone: (failure, wait) => postponeDelivery(context, { ...task, taskId: deliveryId }, failure, wait),
    fail: ({ message }) => failDelivery(context, attemptRef, message),
  });
}
