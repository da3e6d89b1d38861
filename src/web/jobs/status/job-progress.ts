import type { Job } from "#contract/jobs/jobs.ts";
import type { Slat } from "../../ui/states/strip.tsx";

/** Makes the start of a Processing job visible. */
const FLOOR_PERCENT = 3;

type Progress = Pick<Job, "status" | "progress" | "current_video" | "total_videos" | "failed_videos">;

/** Returns 0-100. The floor also holds above 0, so that the percentage never falls. */
export function shownPercent({ status, progress }: Pick<Job, "status" | "progress">): number {
  const percent = Math.min(100, Math.max(0, progress));
  return status === "Processing" ? Math.max(FLOOR_PERCENT, percent) : percent;
}

/** Rounds: 42.6 becomes "43%". */
export function formatPercent(percent: number): string {
  return `${Math.round(percent)}%`;
}

/** Returns "current/total", or a percentage without counts. */
export function progressFigure(job: Progress): string {
  return job.current_video && job.total_videos
    ? `${job.current_video}/${job.total_videos}`
    : formatPercent(shownPercent(job));
}

/**
 * Returns one slat per video: completed, failed, current, then waiting; none without counts. Progress is the share of
 * time encoded and may lie outside the current video, whose slat then stays nearly empty or full.
 */
export function videoSlats(job: Progress): Slat[] {
  const { current_video: current, total_videos: total, failed_videos: failed } = job;
  if (!current || !total) return [];
  const part = (shownPercent(job) / 100) * total - (current - 1);
  const running = Math.min(0.95, Math.max(0.1, part));
  const done = current - 1 - (failed ?? 0);
  return Array.from({ length: total }, (_, index): Slat => {
    if (index < current - 1) return index < done ? "done" : "failed";
    return index === current - 1 ? { running } : "todo";
  });
}
