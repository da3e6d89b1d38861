import { endLostDelivery, findStoppedDeliveries } from "#operations/deliveries/claim-delivery.ts";
import type { DeliveryTask } from "#queue/open-queue.ts";
import type { PauseReasons } from "../fleet/pause-reasons.ts";
import { type TaskWork, workOnTasks } from "../work-on-tasks.ts";
import type { WorkerContext } from "../worker-context.ts";
import { deliverJob } from "./deliver-job.ts";

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
