import type { JobEvent, JobVideo } from "#contract/jobs/jobs.ts";

/** Returns, for example, "Video 3 failed, attempt 2". */
export function describeEvent(event: JobEvent, videos: readonly Pick<JobVideo, "id" | "position">[]): string {
  const video = videos.find(({ id }) => id === event.video_id);
  const subject = event.video_id === null ? "Job" : video ? `Video ${video.position + 1}` : "A video";
  const attempt = event.attempt !== null && event.attempt > 1 ? `, attempt ${event.attempt}` : "";
  return `${subject} ${event.status.toLowerCase()}${attempt}`;
}
