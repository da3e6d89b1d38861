import type { Failure } from "#contract/jobs/failures.ts";
import type { PauseReason } from "#contract/settings/system.ts";
import { endLostVideo } from "#operations/jobs/videos/end-video.ts";
import { findTasksOfStoppedJobs } from "#operations/jobs/find-tasks-of-stopped-jobs.ts";
import type { CaptionTask, VideoTask } from "#queue/open-queue.ts";
import { workOnCaptions } from "./captions/caption-videos.ts";
import { joinFleet } from "./fleet/join-fleet.ts";
import { createPauseReasons } from "./fleet/pause-reasons.ts";
import { processVideo } from "./videos/process-video.ts";
import { sweepScratch } from "./sources/scratch.ts";
import { createSpeedometer } from "./fleet/speedometer.ts";
import { wakeHosts } from "./hosts/wake-hosts.ts";
import { type TaskWork, workOnTasks } from "./work-on-tasks.ts";
import type { WorkerContext } from "./worker-context.ts";

const LOST: Omit<Failure, "message"> = {
  code: "worker_lost",
  step: null,
  tail: null,
};

/** How it is, as far as it knows itself. */
export type WorkerState = { isConnected: boolean; pauseReasons: PauseReason[] };

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
  let videos: TaskWork<VideoTask> | null = null;
  let captions: TaskWork<CaptionTask> | null = null;
  const pause = createPauseReasons();
  worker.disk?.onChange((state) => pause.set("disk-full", state === "full"));
  const fleet = await joinFleet(worker, {
    concurrency,
    canDrain: onDrained !== undefined,
    pause,
    readWork: () => ({
      doing: (videos?.running() ?? []).map((task) => task.videoId),
      captionVideos: captions?.running().length ?? 0,
      speed: speedometer.read(),
    }),
  });
  const measured = { ...worker, speedometer };
  const videoWork = await workOnTasks(worker, pause, {
    queue: queue.videos,
    concurrency,
    cancelIdOf: (task) => task.jobId,
    findStopped: (tasks) => findTasksOfStoppedJobs(worker.context, tasks),
    async runAttempt(task, cancelSignal) {
      speedometer.begin();
      await processVideo(measured, task, cancelSignal).finally(() => speedometer.end());
    },
    endLost: (lost, message) => endLostVideo(worker.context, lost, { ...LOST, message }),
  });
  videos = videoWork;
  captions = await workOnCaptions(worker, pause);
  const waking = wakeHosts(worker);
  let drains = 0;
  const drain = async (): Promise<void> => {
    drains += 1;
    const drain = drains;
    await Promise.all([videoWork.settled(), captions?.settled()]);
    // Somebody may have thought better of it; and what ran at an order that was taken back is not all that runs at the next.
    if (fleet.isDraining() && drain === drains) onDrained?.();
  };
  fleet.onOrder({ setConcurrency: (count) => videoWork.setCount(count), drain: () => void drain() });
  return {
    readState: () => ({ isConnected: fleet.isConnected(), pauseReasons: pause.list() }),
    async stop() {
      await waking.stop();
      await queue.stopWorking();
      await videoWork.stopListening();
      await captions?.stopListening();
      await fleet.leave();
    },
  };
}
