import type { JobEventsResponse } from "#contract/calls.ts";
import type { JobEvent } from "#contract/jobs/jobs.ts";

/** Returns all events, or null if some are missing or were deleted, so that all must be read. */
export function addNewest(known: readonly JobEvent[], { data, total }: JobEventsResponse): JobEvent[] | null {
  if (data.length === total) return data;
  const start = known.findIndex(({ id }) => id === data[0]?.id);
  const events = [...known.slice(0, Math.max(0, start)), ...data];
  return events.length === total ? events : null;
}
