/** Takes videos of caption batches from the queue, beside the renders. */
import { endLostCaptionTask } from "#operations/captions/change-caption-task.ts";
import { findStoppedCaptionTasks } from "#operations/captions/find-stopped-caption-tasks.ts";
import type { ClaimedCaptionTask } from "#queue/open-queue.ts";
import { captionVideo } from "./caption-video.ts";
import type { PauseReasons } from "./pause-reasons.ts";
import { trackRunning } from "./running-work.ts";
import type { WorkerContext } from "./worker-context.ts";

/** Of each batch, on all machines together. */
const MOST_AT_ONCE = 4;
const LOST = "The worker was stopped from outside during the last attempt at this video.";

export type CaptionWork = {
  /** How many videos are at work. */
  count(): number;
  /** Resolves after a pause once nothing runs any more. */
  settled(): Promise<void>;
  /** Ends the listening for cancelled batches. */
  stopListening(): Promise<void>;
};

/** Starts it. The queue stops it. */
export async function workOnCaptions(worker: WorkerContext, pause: PauseReasons): Promise<CaptionWork> {
  const { queue } = worker.context;
  const running = await trackRunning<ClaimedCaptionTask>(worker, {
    idOf: (task) => task.batchId,
    findStopped: (tasks) => findStoppedCaptionTasks(worker.context, tasks),
  });
  const caption = (task: ClaimedCaptionTask): Promise<void> =>
    running.run(task, (cancelSignal) => captionVideo(worker, task, cancelSignal));
  const slots = await queue.workCaptions(MOST_AT_ONCE, caption, { isPaused: pause.isPaused() });
  pause.onChange((isPaused) => slots.setPaused(isPaused));
  await queue.workLostCaptions(async (lost) => {
    await endLostCaptionTask(worker.context, lost, LOST);
  });
  return {
    count: () => running.tasks().length,
    settled: () => slots.settled(),
    stopListening: () => running.stopListening(),
  };
}
