import type { JobVideo, VideoStatus } from "#contract/jobs/jobs.ts";

const STATES: readonly VideoStatus[] = ["Queued", "Processing", "Completed", "Failed", "Cancelled"];

export type StateCount = { state: VideoStatus; count: number };

export type ReasonGroup = {
  kind: "waiting" | "failed";
  reason: string;
  count: number;
  /** Earliest retry; null for failed videos. */
  nextTryAt: string | null;
};

/** Returns true while the video waits for its host or a fixed time. */
export function isWaiting(video: Pick<JobVideo, "status" | "waiting_since">): boolean {
  return video.status === "Queued" && video.waiting_since !== null;
}

/** Omits statuses without videos. */
export function countStates(videos: readonly JobVideo[]): StateCount[] {
  const counts = new Map<VideoStatus, number>();
  for (const { status } of videos) counts.set(status, (counts.get(status) ?? 0) + 1);
  return STATES.flatMap((state) => {
    const count = counts.get(state);
    return count === undefined ? [] : [{ state, count }];
  });
}

/** Counts Completed and Failed videos. */
export function countFinished(videos: readonly JobVideo[]): number {
  return videos.filter(({ status }) => status === "Completed" || status === "Failed").length;
}

/** Puts waiting groups first, then sorts by size. Omits the reason of a single failed video, which the video shows. */
export function groupReasons(videos: readonly JobVideo[]): ReasonGroup[] {
  const groups = new Map<string, ReasonGroup>();
  for (const video of videos) {
    const kind = isWaiting(video) ? "waiting" : video.status === "Failed" ? "failed" : null;
    if (kind === null || video.error_message === null) continue;
    const key = `${kind} ${video.error_message}`;
    const group = groups.get(key) ?? { kind, reason: video.error_message, count: 0, nextTryAt: null };
    group.count += 1;
    if (kind === "waiting") group.nextTryAt = earlier(group.nextTryAt, video.next_try_at);
    groups.set(key, group);
  }
  return [...groups.values()]
    .filter(({ kind, count }) => kind === "waiting" || count > 1)
    .toSorted((a, b) => (a.kind === b.kind ? b.count - a.count : a.kind === "waiting" ? -1 : 1));
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** Returns null for all and for invalid values. */
export function readShownState({ state }: Readonly<Record<string, unknown>>): VideoStatus | null {
  return STATES.find((known) => known.toLowerCase() === state) ?? null;
}
