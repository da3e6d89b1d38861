import type { JobEventsResponse } from "#contract/calls.ts";
import type { JobEvent } from "#contract/jobs/jobs.ts";

/** Returns, for example, "Video 3 failed, attempt 2". `position` is that of the event's video, if known. */
export function describeEvent(event: JobEvent, position: number | undefined): string {
  const video = position === undefined ? "A video" : `Video ${position + 1}`;
  const subject = event.video_id === null ? "Job" : video;
  const attempt = event.attempt !== null && event.attempt > 1 ? `, attempt ${event.attempt}` : "";
  return `${subject} ${event.status.toLowerCase()}${attempt}`;
}

/** Returns all events, or null if some are missing or were deleted, so that all must be read. */
export function addNewest(known: readonly JobEvent[], { data, total }: JobEventsResponse): JobEvent[] | null {
  if (data.length === total) return data;
  const start = known.findIndex(({ id }) => id === data[0]?.id);
  const events = [...known.slice(0, Math.max(0, start)), ...data];
  return events.length === total ? events : null;
}
