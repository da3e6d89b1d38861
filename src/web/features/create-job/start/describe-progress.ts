import { CANCELLED_BY_USER, type Job } from "#contract/jobs/jobs.ts";
import { shownPercent } from "../../../jobs/status/job-progress.ts";

type JobProgress = Pick<Job, "status" | "progress" | "current_video" | "total_videos" | "error_message"> &
  Partial<Pick<Job, "awaiting_approval">>;

/** A canceled job shows its own error message, if any. */
export function describeProgress(job: JobProgress): string {
  switch (job.status) {
    case "Queued":
      return describeStart(job.total_videos);
    case "Processing":
      if (job.awaiting_approval) return "The samples need your approval.";
      if (!job.current_video || !job.total_videos) return "Processing videos...";
      return `Processing video ${job.current_video}/${job.total_videos}...`;
    case "Completed":
      return "Processing completed!";
    case "Failed":
      return "Processing failed";
    case "Cancelling":
      return "Cancelling...";
    case "Cancelled":
      return job.error_message ?? CANCELLED_BY_USER;
  }
}

/** Returns SPEC's text (4.3.1) until the first video starts. */
export function describeStart(videos: number): string {
  return `Starting processing of ${videos} video(s)...`;
}

/** Returns a whole percentage, 0-100, which a failure resets. */
export function cardPercent(job: JobProgress): number {
  if (job.status === "Failed") return 0;
  if (job.status === "Completed") return 100;
  return Math.round(shownPercent(job));
}
