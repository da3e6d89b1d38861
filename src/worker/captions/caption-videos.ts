import { endLostCaptionTask } from "#operations/captions/batches/change-caption-task.ts";
import { findStoppedCaptionTasks } from "#operations/captions/batches/find-stopped-caption-tasks.ts";
import type { CaptionTask } from "#queue/open-queue.ts";
import { captionVideo } from "./caption-video.ts";
import type { PauseReasons } from "../fleet/pause-reasons.ts";
import { type TaskWork, workOnTasks } from "../work-on-tasks.ts";
import type { WorkerContext } from "../worker-context.ts";

/** In this worker. */
const MAX_AT_ONCE = 4;

/** Up to four per batch across all workers. */
export function workOnCaptions(worker: WorkerContext, pause: PauseReasons): Promise<TaskWork<CaptionTask>> {
  const { context } = worker;
  return workOnTasks(worker, pause, {
    queue: context.queue.captions,
    concurrency: MAX_AT_ONCE,
    cancelIdOf: (task) => task.batchId,
    findStopped: (tasks) => findStoppedCaptionTasks(context, tasks),
    runAttempt: (task, cancelSignal) => captionVideo(worker, task, cancelSignal),
    endLost: (lost, reason) => endLostCaptionTask(context, lost, reason),
  });
}
