import type { PauseReason } from "#contract/settings/system.ts";
import { endLostVideo, WORKER_LOST } from "#operations/jobs/videos/end-video.ts";
import { estimateRemaining } from "#operations/jobs/videos/report-video.ts";
import { createVideoRecords } from "#operations/jobs/videos/video-records.ts";
import { createSourceReader } from "#operations/sources/source-reader.ts";
import { createFleetRecords } from "#operations/fleet/fleet-records.ts";
import { findTasksOfStoppedJobs } from "#operations/jobs/cancel-job.ts";
import type { CaptionTask, RunTask, VideoTask } from "#queue/open-queue.ts";
import { workOnCaptions } from "./captions/caption-videos.ts";
import { workOnDeliveries } from "./deliveries/deliver-jobs.ts";
import { joinFleet } from "./fleet/join-fleet.ts";
import { createPauseReasons } from "./fleet/pause-reasons.ts";
import { finishInTime } from "./fleet/finish-in-time.ts";
import { workOnRuns } from "./runs/help-with-runs.ts";
import { openSharing } from "./runs/share-runs.ts";
import { createFinishingVideos } from "./videos/finishing-videos.ts";
import { processVideo } from "./videos/process-video.ts";
import { createRecentLinks } from "./sources/recent-links.ts";
import { startLookAhead } from "./sources/look-ahead.ts";
import { sweepScratch } from "./sources/scratch.ts";
import { createSpeedometer } from "./fleet/speedometer.ts";
import { watchIdle } from "./fleet/running-work.ts";
import { wakeHosts } from "./hosts/wake-hosts.ts";
import { workOnTranscripts } from "./transcripts/transcribe-videos.ts";
import { type TaskWork, workOnTasks } from "./work-on-tasks.ts";
import type { VideoWorker, WorkerContext } from "./worker-context.ts";

export type WorkerState = { isConnected: boolean; pauseReasons: PauseReason[] };

export type WorkerEnd = { onDrained?: () => void; isUntilIdle?: boolean };

export type Worker = {
  readState: () => WorkerState;
  /** Claims no more tasks and finishes those that end within the notice. Call `stop` afterwards. */
  finishInTime: (noticeMs: number) => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Claims up to `concurrency` videos unless an operator changes it. `stop` returns them to the queue. `onDrained` makes
 * the worker drainable: it runs after the last video and must stop the worker. With `isUntilIdle`, it also runs after
 * ten idle seconds.
 */
export async function startWorker(
  worker: WorkerContext,
  concurrency: number,
  { onDrained, isUntilIdle = false }: WorkerEnd = {},
): Promise<Worker> {
  const { database, log } = worker;
  const { queue } = worker.context;
  await using stack = new AsyncDisposableStack();
  const speedometer = createSpeedometer();

  const ended = await sweepScratch(worker.scratchRoot);
  if (ended.length > 0) log.info({ ended }, "took over from a worker that was killed");
  let videos: TaskWork<VideoTask> | null = null;
  let captions: TaskWork<CaptionTask> | null = null;
  let runs: TaskWork<RunTask> | null = null;
  const pause = createPauseReasons();
  worker.disk?.onChange((state) => pause.set("disk-full", state === "full"));
  const records = createFleetRecords(worker.context, { isAlone: database.isEmbedded });
  const fleet = await joinFleet(
    { ...worker, records },
    {
      concurrency,
      canDrain: onDrained !== undefined,
      pause,
      readWork: () => ({
        doing: [...(videos?.running() ?? []), ...(runs?.running() ?? [])].map((task) => task.videoId),
        captionVideos: captions?.running().length ?? 0,
        speed: speedometer.read(),
      }),
    },
  );
  stack.defer(() => fleet.leave());
  let slots = concurrency;
  const recentLinks = createRecentLinks();
  const lookAhead = startLookAhead(
    { ...worker, recentLinks },
    {
      workerId: fleet.id,
      readClaimed: () => (videos?.running() ?? []).map((task) => task.videoId),
      readSlots: () => slots,
      isPaused: () => pause.isPaused(),
    },
  );
  stack.defer(() => lookAhead.stop());
  pause.onChange(() => lookAhead.look());
  const finishing = createFinishingVideos(concurrency, (count) => videos?.setCount(count));
  const measured = { ...worker, id: fleet.id, recentLinks, speedometer, onSourcesReady: () => lookAhead.look() };
  const videoWorker: VideoWorker = {
    ...measured,
    reader: createSourceReader(worker.context),
    openRecords: (task) => createVideoRecords(worker, task),
    openSharing: (attempt, links) => openSharing(measured, attempt, links),
  };
  let ownVideos = 0;
  let helped = 0;
  const setConcurrency = (count: number): void => {
    slots = count;
    finishing.setSlots(Math.max(0, slots - helped));
  };
  /** A worker with videos does not help. */
  const countVideo = (change: 1 | 0 | -1): void => {
    ownVideos += change;
    runs?.setCount(ownVideos > 0 ? 0 : 1);
  };
  const videoWork = await workOnTasks(worker, pause, {
    queue: queue.videos,
    concurrency,
    // A sole worker has all files, so the order does not matter.
    whose: { labels: worker.labels, readLinks: () => (database.isEmbedded ? [] : recentLinks.list()) },
    cancelIdOf: (task) => task.jobId,
    findStopped: (tasks) => findTasksOfStoppedJobs(worker.context, tasks),
    async runAttempt(task, cancelSignal) {
      speedometer.begin();
      using video = finishing.track();
      const onPicturesReady = (): void => video.begin();
      countVideo(1);
      await processVideo({ ...videoWorker, onPicturesReady }, task, cancelSignal).finally(() => {
        speedometer.end();
        countVideo(-1);
      });
    },
    endLost: (lost) => endLostVideo(worker.context, lost, WORKER_LOST),
  });
  stack.defer(() => videoWork.stopListening());
  videos = videoWork;
  const captionWork = await workOnCaptions(worker, pause);
  stack.defer(() => captionWork.stopListening());
  captions = captionWork;
  const transcriptWork = await workOnTranscripts(worker, pause);
  stack.defer(() => transcriptWork.stopListening());
  const deliveryWork = await workOnDeliveries(worker, pause);
  stack.defer(() => deliveryWork.stopListening());
  // An embedded database has no other worker.
  if (!database.isEmbedded) {
    const runWork = await workOnRuns(measured, pause, (isHelping) => {
      helped = isHelping ? 1 : 0;
      setConcurrency(slots);
    });
    stack.defer(() => runWork.stopListening());
    runs = runWork;
    countVideo(0);
  }
  stack.defer(() => queue.stopWorking());
  const waking = wakeHosts(worker);
  stack.defer(() => waking.stop());
  const works = [videoWork, captionWork, transcriptWork, deliveryWork, ...(runs ? [runs] : [])];
  const settled = () => Promise.all(works.map((work) => work.settled()));
  let drains = 0;
  const drain = async (): Promise<void> => {
    drains += 1;
    const drain = drains;
    await settled();
    // The order may have been withdrawn; a later one covers tasks started in between.
    if (fleet.isDraining() && drain === drains) onDrained?.();
  };
  fleet.onOrder({ setConcurrency, drain: () => void drain() });
  const countRunning = (): number => works.reduce((sum, work) => sum + work.running().length, 0);
  const stopWatching =
    onDrained && isUntilIdle ? watchIdle({ countRunning, pause, settled }, onDrained) : (): void => {};
  stack.defer(stopWatching);
  const running = stack.move();
  return {
    finishInTime: (noticeMs) =>
      finishInTime({
        noticeMs,
        pause,
        readRunning: () => videoWork.running().map((task) => task.videoId),
        estimate: (videoIds) => estimateRemaining(worker.context, videoIds),
        handBack: (videoId) => queue.handBack(videoId),
      }),
    readState: () => ({ isConnected: fleet.isConnected(), pauseReasons: pause.list() }),
    stop: () => running.disposeAsync(),
  };
}
