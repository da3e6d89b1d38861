import type { VideoTask } from "#queue/open-queue.ts";

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
