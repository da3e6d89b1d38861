import type { JobEvent } from "#contract/jobs/jobs.ts";

/** Returns, for example, "Video 3 failed, attempt 2". `position` is that of the event's video, if known. */
export function describeEvent(event: JobEvent, position: number | undefined): string {
  const video = position === undefined ? "A video" : `Video ${position + 1}`;
  const subject = event.video_id === null ? "Job" : video;
  const attempt = event.attempt !== null && event.attempt > 1 ? `, attempt ${event.attempt}` : "";
  return `${subject} ${event.status.toLowerCase()}${attempt}`;
}
