import { ClipmillError } from "#contract/errors.ts";
import { repeat } from "#ground/repeat.ts";
import { listClaimingWorkers } from "#operations/fleet/list-workers.ts";
import type { Probe } from "#media/probe/probe.ts";
import { readNextVideo } from "#operations/jobs/videos/read-next-video.ts";
import { readPrefetchSources } from "#operations/settings/read-settings.ts";
import type { VideoTask } from "#queue/open-queue.ts";
import { HostCoolsDown } from "#operations/hosts/contact-host.ts";
import { clipsOf } from "#operations/jobs/videos/clips-of-video.ts";
import { assignedTracks, assignWanted } from "../videos/plan-video.ts";
import type { WorkerContext } from "../worker-context.ts";

const INTERVAL_MS = 2_000;
/** With the size limit, bounds the prefetched bytes in the cache. */
const MAX_AHEAD = 4;
const AGAIN_MS = 15_000;

type Ahead = {
  fetching: AbortController;
  /** Null during the fetch, Infinity once it is ready or has permanently failed. */
  againAtMs: number | null;
  /** Consecutive looks that found the task neither waiting nor claimed. */
  missed: number;
};

type Watched = {
  workerId: string;
  readClaimed: () => string[];
  readSlots: () => number;
  isPaused: () => boolean;
};

type Watching = Pick<WorkerContext, "context" | "prefetcher" | "labels" | "recentLinks" | "log">;

type LookAhead = {
  /** Looks now, in addition to every 2 s while the worker has claimed a video. */
  look(): void;
  stop(): Promise<void>;
};

/** Prefetches the sources that this worker will probably need next. */
export function startLookAhead(
  { context, prefetcher, labels, recentLinks, log }: Watching,
  { workerId, readClaimed, readSlots, isPaused }: Watched,
): LookAhead {
  const ahead = new Map<string, Ahead>();
  const running = new Set<Promise<void>>();

  const listNext = async (): Promise<VideoTask[]> => {
    if (isPaused() || !(await readPrefetchSources(context))) return [];
    const workers = await listClaimingWorkers(context);
    const most = Math.min(readSlots(), MAX_AHEAD);
    const waiting = await context.queue.videos.peek(most * workers.length, labels);
    return shareOfWorker(waiting, { workers, workerId }).slice(0, most);
  };

  const fetchSources = async (task: VideoTask, signal: AbortSignal): Promise<void> => {
    const next = await readNextVideo(context, task);
    if (!next) return;
    const { job, video } = next;
    const probes: Probe[] = [];
    for (const { link } of clipsOf(next)) {
      probes.push((await prefetcher.prefetch({ link, use: "video", jobId: job.id }, "next", signal)).probe);
    }
    recentLinks?.add(video.link);
    for (const link of assignedTracks(job, assignWanted(next, probes).wanted)) {
      await prefetcher.prefetch({ link, use: "music", jobId: job.id }, "next", signal);
    }
  };

  const begin = (task: VideoTask): void => {
    const entry: Ahead = { fetching: new AbortController(), againAtMs: null, missed: 0 };
    ahead.set(task.videoId, entry);
    const { jobId, videoId } = task;
    const fetch = async (): Promise<void> => {
      try {
        await fetchSources(task, entry.fetching.signal);
        entry.againAtMs = Number.POSITIVE_INFINITY;
        log.debug({ jobId, videoId }, "fetched the next video's sources");
      } catch (error) {
        const isPassing = error instanceof HostCoolsDown || (error instanceof ClipmillError && error.isRetryable);
        entry.againAtMs = isPassing ? performance.now() + AGAIN_MS : Number.POSITIVE_INFINITY;
        // The attempt will meet and report the same error.
        if (!entry.fetching.signal.aborted) log.debug({ err: error, jobId, videoId }, "could not prefetch a video");
      }
    };
    const ended = fetch().finally(() => running.delete(ended));
    running.add(ended);
  };

  /** A task just claimed by this worker is briefly neither waiting nor listed as claimed. */
  const forgetMissing = (waiting: ReadonlySet<string>): void => {
    const claimed = new Set(readClaimed());
    for (const [id, entry] of ahead) {
      if (waiting.has(id)) entry.missed = 0;
      else if (entry.againAtMs !== null || (!claimed.has(id) && ++entry.missed > 1)) {
        entry.fetching.abort();
        ahead.delete(id);
      }
    }
  };

  const look = async (): Promise<void> => {
    if (readClaimed().length === 0 && running.size === 0) return;
    const next = await listNext();
    forgetMissing(new Set(next.map(({ videoId }) => videoId)));
    for (const task of next) {
      const known = ahead.get(task.videoId);
      if (!known || (known.againAtMs !== null && performance.now() >= known.againAtMs)) begin(task);
    }
  };
  const looking = repeat(look, {
    everyMs: INTERVAL_MS,
    firstMs: INTERVAL_MS,
    onError: (error) => log.debug({ err: error }, "could not look ahead in the queue"),
  });
  return {
    look: () => looking.notify(),
    async stop() {
      await looking.stop();
      for (const { fetching } of ahead.values()) fetching.abort();
      await Promise.all(running);
    },
  };
}

/**
 * In larger fleets, another worker will probably claim the video, and a wasted download costs more than an idle slot.
 */
const MAX_WORKERS = 4;

/**
 * Returns the tasks that this worker prefetches, in order. Each task has one active worker, so that no file is
 * prefetched twice. Empty if this worker is inactive or the fleet is large.
 */
export function shareOfWorker(
  waiting: readonly VideoTask[],
  { workers, workerId }: { workers: readonly string[]; workerId: string },
): VideoTask[] {
  if (workers.length > MAX_WORKERS || !workers.includes(workerId)) return [];
  // By id, because positions change with every claim.
  return waiting.filter(({ videoId }) => workers[numberOf(videoId) % workers.length] === workerId);
}

function numberOf(id: string): number {
  return Number.parseInt(id.slice(-8), 16);
}
