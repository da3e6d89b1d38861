import type { Failure } from "#contract/failures.ts";
import type { PauseReason } from "#contract/system.ts";
import { endLostVideo } from "#operations/jobs/end-video.ts";
import { findTasksOfStoppedJobs } from "#operations/jobs/find-tasks-of-stopped-jobs.ts";
import type { ClaimedTask } from "#queue/open-queue.ts";
import { type CaptionWork, workOnCaptions } from "./caption-videos.ts";
import { joinFleet } from "./join-fleet.ts";
import { createPauseReasons } from "./pause-reasons.ts";
import { processVideo } from "./process-video.ts";
import { trackRunning } from "./running-work.ts";
import { sweepScratch } from "./scratch.ts";
import { createSpeedometer } from "./speedometer.ts";
import { wakeHosts } from "./wake-hosts.ts";
import type { WorkerContext } from "./worker-context.ts";

const LOST: Failure = {
  code: "worker_lost",
  step: null,
  message: "The worker was stopped from outside during the last attempt at this video.",
  tail: null,
};

/** How it is, as far as it knows itself. */
export type WorkerState = { isHeard: boolean; pauseReasons: PauseReason[] };

export type Worker = { readState: () => WorkerState; stop: () => Promise<void> };

/**
 * Starts claiming videos, `concurrency` at once until an operator wants another number. `stop` aborts what runs and hands it
 * back to the queue. With `onDrained` operators can have it finish what runs and then end: the callback is to stop it.
 */
export async function startWorker(
  worker: WorkerContext,
  concurrency: number,
  { onDrained }: { onDrained?: () => void } = {},
): Promise<Worker> {
  const { database, log } = worker;
  const { queue } = worker.context;
  const speedometer = createSpeedometer();

  const ended = await sweepScratch(worker.scratchRoot);
  // On a server, what is claimed may be at work elsewhere; there the queue notices by itself what is not.
  const released = database.isEmbedded ? await queue.releaseClaimed() : 0;
  if (ended.length > 0 || released > 0) log.info({ ended, released }, "took over from a worker that was killed");
  const running = await trackRunning<ClaimedTask>(worker, {
    idOf: (task) => task.jobId,
    findStopped: (tasks) => findTasksOfStoppedJobs(worker.context, tasks),
  });
  const workOn = (task: ClaimedTask): Promise<void> =>
    running.run(task, async (cancelSignal) => {
      speedometer.begin();
      await processVideo({ ...worker, speedometer }, task, cancelSignal).finally(() => speedometer.end());
    });
  let captions: CaptionWork | null = null;
  const pause = createPauseReasons();
  worker.disk?.onChange((state) => pause.set("disk-full", state === "full"));
  const fleet = await joinFleet(worker, {
    concurrency,
    canDrain: onDrained !== undefined,
    pause,
    readWork: () => ({
      doing: running.tasks().map((task) => task.videoId),
      captionVideos: captions?.count() ?? 0,
      speed: speedometer.read(),
    }),
  });
  const slots = await queue.workVideos(concurrency, workOn, { isPaused: pause.isPaused() });
  pause.onChange((isPaused) => slots.setPaused(isPaused));
  await queue.workLostVideos(async (lost) => {
    await endLostVideo(worker.context, lost, LOST);
  });
  captions = await workOnCaptions(worker, pause);
  const waking = wakeHosts(worker);
  let drains = 0;
  const drain = async (): Promise<void> => {
    drains += 1;
    const drain = drains;
    await Promise.all([slots.settled(), captions?.settled()]);
    // Somebody may have thought better of it; and what ran at an order that was taken back is not all that runs at the next.
    if (fleet.isDraining() && drain === drains) onDrained?.();
  };
  fleet.onOrder({ setConcurrency: (count) => slots.setCount(count), drain: () => void drain() });
  return {
    readState: () => ({ isHeard: fleet.isHeard(), pauseReasons: pause.list() }),
    async stop() {
      await waking.stop();
      await queue.stopWorking();
      await running.stopListening();
      await captions?.stopListening();
      await fleet.leave();
    },
  };
}
