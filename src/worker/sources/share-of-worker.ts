import type { VideoTask } from "#queue/open-queue.ts";

/**
 * In a larger fleet, another worker will probably claim the video: a download in vain costs more than an idle slot
 * saves.
 */
const MAX_WORKERS = 4;

/**
 * Returns the waiting tasks that this worker prefetches, in order. Each task belongs to one of the active workers, so
 * that no file is prefetched twice; none if this worker is inactive, or if there are many workers.
 */
export function shareOfWorker(
  waiting: readonly VideoTask[],
  { workers, workerId }: { workers: readonly string[]; workerId: string },
): VideoTask[] {
  if (workers.length > MAX_WORKERS || !workers.includes(workerId)) return [];
  // By the id and not by the place, which changes with every claim.
  return waiting.filter(({ videoId }) => workers[numberOf(videoId) % workers.length] === workerId);
}

/** Returns the number in the last, random digits of a UUID. */
function numberOf(id: string): number {
  return Number.parseInt(id.slice(-8), 16);
}
