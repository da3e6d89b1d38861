import { CANCEL_CHANNEL } from "#operations/jobs/cancel-job.ts";
import { endVideo } from "#operations/jobs/end-video.ts";
import type { ClaimedTask } from "#queue/open-queue.ts";
import { workOnCaptions } from "./caption-videos.ts";
import { createPauseReasons } from "./pause-reasons.ts";
import { processVideo } from "./process-video.ts";
import { sweepScratch } from "./scratch.ts";
import type { WorkerContext } from "./worker-context.ts";

const LOST = "The worker was stopped from outside during the last attempt at this video.";

export type Worker = { stop: () => Promise<void> };

/** Starts claiming videos, `concurrency` at once. `stop` aborts what runs and hands it back to the queue. */
export async function startWorker(worker: WorkerContext, concurrency: number): Promise<Worker> {
  const { database, log } = worker;
  const { queue } = worker.context;
  /** The videos in work: what cancels each, and its job. */
  const running = new Map<AbortController, string>();

  if (database.isEmbedded) {
    const ended = await sweepScratch(worker.scratchRoot);
    const released = await queue.releaseClaimed();
    if (ended.length > 0 || released > 0) log.info({ ended, released }, "took over from a worker that was killed");
  }
  const stopListening = await database.listen(CANCEL_CHANNEL, (jobId) => {
    for (const [controller, runningJobId] of running) if (runningJobId === jobId) controller.abort();
  });
  const workOn = async (task: ClaimedTask): Promise<void> => {
    const cancelling = new AbortController();
    running.set(cancelling, task.jobId);
    await processVideo(worker, task, cancelling.signal).finally(() => running.delete(cancelling));
  };
  const pause = createPauseReasons();
  worker.disk?.onChange((state) => pause.set("disk-full", state === "full"));
  const slots = await queue.workVideos(concurrency, workOn, { isPaused: pause.isPaused() });
  pause.onChange((isPaused) => slots.setPaused(isPaused));
  await queue.workLostVideos(async ({ jobId, videoId }) => {
    await endVideo(worker.context, { jobId, videoId, attempt: null }, { status: "Failed", reason: LOST });
  });
  const stopListeningForCaptions = await workOnCaptions(worker, pause);
  return {
    async stop() {
      await queue.stopWorking();
      await stopListening();
      await stopListeningForCaptions();
    },
  };
}
