import type { SourceBaseUrls } from "#contract/sources/source-host.ts";
import type { FleetRecords } from "#operations/fleet/fleet-records.ts";
import type { FactsMemory } from "#operations/sources/describe-source.ts";
import type { ClaimedTask, VideoTask } from "#queue/open-queue.ts";
import { finishInTime } from "../fleet/finish-in-time.ts";
import { joinFleet } from "../fleet/join-fleet.ts";
import { createPauseReasons } from "../fleet/pause-reasons.ts";
import { watchIdle } from "../fleet/running-work.ts";
import { createSpeedometer } from "../fleet/speedometer.ts";
import { NO_SHARING } from "../runs/sharing.ts";
import { createRecentLinks } from "../sources/recent-links.ts";
import { sweepScratch } from "../sources/scratch.ts";
import type { Worker, WorkerEnd } from "../start-worker.ts";
import { createFinishingVideos } from "../videos/finishing-videos.ts";
import { processVideo } from "../videos/process-video.ts";
import { type TaskWork, workOnTasks } from "../work-on-tasks.ts";
import type { VideoWorker, WorkerContext } from "../worker-context.ts";
import { openQueueByToken } from "./queue-by-token.ts";
import { createReaderByToken } from "./reader-by-token.ts";
import { createRecordsByToken } from "./records-by-token.ts";
import type { ServerLine } from "./server-line.ts";

export type WorkerByToken = Pick<
  WorkerContext,
  | "tools"
  | "drawer"
  | "sources"
  | "probes"
  | "streams"
  | "encoderSlots"
  | "scratchRoot"
  | "id"
  | "idFile"
  | "disk"
  | "figures"
  | "log"
> & {
  line: ServerLine;
  baseUrls: SourceBaseUrls;
  ytDlpPath: string | null;
};

/**
 * Like startWorker, but without the database and the storage: claims only videos, through the server. It neither
 * fetches ahead nor shares runs.
 */
export async function startWorkerByToken(
  worker: WorkerByToken,
  concurrency: number,
  { onDrained, isUntilIdle = false }: WorkerEnd = {},
): Promise<Worker> {
  const { line, baseUrls, ytDlpPath, log } = worker;
  await using stack = new AsyncDisposableStack();
  const ended = await sweepScratch(worker.scratchRoot);
  if (ended.length > 0) log.info({ ended }, "took over from a worker that was killed");
  const speedometer = createSpeedometer();
  const recentLinks = createRecentLinks();
  const pause = createPauseReasons();
  worker.disk?.onChange((state) => pause.set("disk-full", state === "full"));
  let videos: TaskWork<VideoTask> | null = null;
  const queue = openQueueByToken(line, log);
  const { listen } = queue;
  const readRunning = (): string[] => (videos?.running() ?? []).map((task) => task.videoId);
  const fleet = await joinFleet(
    { ...worker, records: fleetByToken(line), database: { listen }, labels: [] },
    {
      concurrency,
      canDrain: onDrained !== undefined,
      pause,
      readWork: () => ({ doing: readRunning(), captionVideos: 0, speed: speedometer.read() }),
    },
  );
  stack.defer(() => fleet.leave());
  const finishing = createFinishingVideos(concurrency, (count) => videos?.setCount(count));
  const shared = {
    ...worker,
    recentLinks,
    speedometer,
    prefetcher: { foreground: <Result>(act: () => Promise<Result>) => act() },
  };
  const facts: FactsMemory = new Map();
  const workerOf = (task: ClaimedTask): VideoWorker => {
    const claim = queue.claimOf(task.videoId);
    return {
      ...shared,
      reader: createReaderByToken({ line, sources: worker.sources, baseUrls, ytDlpPath, facts }, claim),
      openRecords: () => createRecordsByToken(line, claim),
      openSharing: () => NO_SHARING,
    };
  };
  const videoWork = await workOnTasks({ database: { listen }, log }, pause, {
    queue: queue.videos,
    concurrency,
    whose: { readLinks: () => recentLinks.list() },
    cancelIdOf: (task) => task.jobId,
    findStopped: async (tasks) => new Set(tasks.filter(({ jobId }) => queue.isStopped(jobId))),
    async runAttempt(task, cancelSignal) {
      speedometer.begin();
      using video = finishing.track();
      const onPicturesReady = (): void => video.begin();
      await processVideo({ ...workerOf(task), onPicturesReady }, task, cancelSignal).finally(() => speedometer.end());
    },
    endLost: async () => {},
  });
  stack.defer(() => videoWork.stopListening());
  videos = videoWork;
  stack.defer(() => queue.stopWorking());
  let drains = 0;
  const drain = async (): Promise<void> => {
    drains += 1;
    const own = drains;
    await videoWork.settled();
    // The instruction may have been withdrawn.
    if (fleet.isDraining() && own === drains) onDrained?.();
  };
  fleet.onOrder({ setConcurrency: (count) => finishing.setSlots(count), drain: () => void drain() });
  const settled = () => videoWork.settled();
  const countRunning = (): number => videoWork.running().length;
  if (onDrained && isUntilIdle) stack.defer(watchIdle({ countRunning, pause, settled }, onDrained));
  const running = stack.move();
  return {
    finishInTime: (noticeMs) =>
      finishInTime({
        noticeMs,
        pause,
        readRunning,
        estimate: async (videoIds) => new Map(await line.call<[string, number][]>("/remaining", { videoIds })),
        handBack: (videoId) => queue.handBack(videoId),
      }),
    readState: () => ({ isConnected: fleet.isConnected(), pauseReasons: pause.list() }),
    stop: () => running.disposeAsync(),
  };
}

/** The server has the token's labels and its own version. */
function fleetByToken(line: ServerLine): FleetRecords {
  return {
    async join({ labels: _labels, version: _version, ...start }, formerId) {
      return (await line.call<{ name: string }>("/join", { ...start, formerId })).name;
    },
    beat(
      { labels: _labels, version: _version, captionVideos: _none, ...beat },
      { isPaused, isDraining, wantedConcurrency },
    ) {
      return line.call("/beat", { ...beat, known: { isPaused, isDraining, wantedConcurrency } });
    },
    leave: (id) => line.call("/leave", { id }),
  };
}
